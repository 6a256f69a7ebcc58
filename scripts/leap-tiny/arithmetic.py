"""Small sums, differences and products, asked in many ways, and stories with one of them in it."""

from words import ITEMS

ASKED = {
    "+": ["What is {a} + {b}?", "{a} + {b}", "{a}+{b}", "What is {a} plus {b}?", "Add {a} and {b}.", "{a} plus {b}",
          "Calculate {a} + {b}.", "How much is {a} plus {b}?", "What's {a} + {b}?", "Compute {a}+{b}", "{a} + {b} = ?",
          "Please add {a} and {b}.", "Can you tell me what {a} + {b} is?", "What is the sum of {a} and {b}?"],
    "-": ["What is {a} - {b}?", "{a} - {b}", "{a}-{b}", "What is {a} minus {b}?", "Subtract {b} from {a}.",
          "{a} minus {b}", "Calculate {a} - {b}.", "How much is {a} minus {b}?", "What's {a} - {b}?", "Compute {a}-{b}",
          "{a} - {b} = ?", "Take {b} from {a}.", "Can you tell me what {a} - {b} is?",
          "What is the difference of {a} and {b}?"],
    "*": ["What is {a} * {b}?", "{a} * {b}", "{a}*{b}", "What is {a} times {b}?", "Multiply {a} by {b}.",
          "{a} times {b}", "Calculate {a} × {b}.", "How much is {a} times {b}?", "What's {a} × {b}?", "Compute {a}*{b}",
          "{a} × {b} = ?", "What is {a} x {b}?", "Can you tell me what {a} * {b} is?",
          "What is the product of {a} and {b}?"],
}
SIGN = {"+": "+", "-": "-", "*": "×"}


def operands(source):
    operator = source.one("++--*")
    if operator == "*":
        return operator, source.integer(0, 12), source.integer(0, 12)
    high = source.one([9, 9, 20, 20, 50, 99])
    a, b = source.integer(0, high), source.integer(0, high)
    return (operator, max(a, b), min(a, b)) if operator == "-" and source.chance(0.8) else (operator, a, b)


def result(operator, a, b):
    return {"+": a + b, "-": a - b, "*": a * b}[operator]


def is_held_out(operator, a, b):
    """A tenth of all problems of two digits, and of the larger products."""
    return (a * 31 + b * 17 + ord(operator)) % 10 == 0 and min(a, b) > (5 if operator == "*" else 9)


def problem(source):
    """Operator and operands; held-out sources draw what the others never do."""
    while True:
        found = operands(source)
        if is_held_out(*found) == source.held_out:
            return found


def steps(operator, a, b):
    """How one gets there, digit by digit."""
    if operator == "*":
        if a > 10 and b > 0:
            return f"{a} is 10 and {a - 10}. 10 × {b} = {10 * b}, {a - 10} × {b} = {(a - 10) * b}. " \
                   f"{10 * b} + {(a - 10) * b} = {a * b}."
        return f"{a} times {b} is {a * b}."
    if max(a, b) < 10:
        return f"{a} {operator} {b} is {result(operator, a, b)}."
    if operator == "+":
        ones = a % 10 + b % 10
        carry = ones // 10
        tens = a // 10 + b // 10 + carry
        return f"Ones: {a % 10} + {b % 10} = {ones}. Tens: {a // 10} + {b // 10} + {carry} = {tens}."
    if a < b:
        return f"{b} - {a} = {b - a}, so it is negative."
    borrow = int(a % 10 < b % 10)
    ones = a % 10 + 10 * borrow
    return f"Ones: {ones} - {b % 10} = {ones - b % 10}. Tens: {a // 10} - {borrow} - {b // 10} = " \
           f"{a // 10 - borrow - b // 10}."


def calculate(source):
    """Question, answer, thought."""
    operator, a, b = problem(source)
    question = source.one(ASKED[operator]).format(a=a, b=b)
    return question, f"{a} {SIGN[operator]} {b} = {result(operator, a, b)}.", steps(operator, a, b)


def story(source):
    """The same with apples. Question, answer, thought."""
    while True:
        operator, a, b = problem(source)
        if operator == "+" or (operator == "-" and a >= b) or (operator == "*" and not source.held_out):
            break
    name, items = source.name(), source.word(ITEMS)
    c = result(operator, a, b)
    if operator == "+":
        more = source.one(["finds {b} more", "buys {b} more", "gets {b} more", "is given {b} more"])
        told = f"{name} has {a} {items} and {more.format(b=b)}."
    elif operator == "-":
        less = source.one(["gives away {b}", "loses {b}", "sells {b}", "eats {b} of them"])
        told = f"{name} has {a} {items} and {less.format(b=b)}."
    else:
        told = f"{name} has {a} boxes with {b} {items} each."
    asked = source.one([f"How many {items} does {name} have now?", f"How many {items} are there now?",
                        f"How many {items} does {name} have?"])
    return f"{told} {asked}", f"{a} {SIGN[operator]} {b} = {c}. {name} has {c} {items}.", steps(operator, a, b)


def compare(source):
    a, b = source.integer(0, 99), source.integer(0, 99)
    if a == b:
        b += 1
    larger = source.chance(0.5)
    word = source.one(["larger", "bigger", "greater"]) if larger else source.one(["smaller", "less"])
    answer = max(a, b) if larger else min(a, b)
    return f"Which is {word}, {a} or {b}?", f"{answer} is {word}.", f"{max(a, b)} is more than {min(a, b)}."


def count(source):
    start, length = source.integer(0, 20), source.integer(3, 12)
    if source.chance(0.6):
        asked = source.one(["Count to {0}.", "Can you count to {0}?", "Please count to {0}"])
        start, question = 1, asked.format(length)
    else:
        question = source.one(["Count from {0} to {1}.", "Please count from {0} to {1}."]).format(
            start, start + length - 1)
    numbers = range(start, start + length)
    return question, ", ".join(map(str, numbers)) + ".", f"From {start} to {start + length - 1}."
