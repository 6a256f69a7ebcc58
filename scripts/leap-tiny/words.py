"""The words that conversations are made of, and a source that draws them.

Some words of every long list are held out: training never sees them as values, so that evaluation shows whether the
model copies from the prompt or recites. Invented words do the same for names of functions and parameters.
"""

import random

FIRST_NAMES = """Anna Ben Clara David Emma Felix Greta Hugo Ida Jonas Kira Leo Mia Nora Oscar Paula Quinn Rosa Sam Tara
Ute Victor Wanda Xenia Yara Zoe Adam Bella Carlos Dina Elias Fatima George Hanna Ivan Julia Karim Lena Marco Nina Omar
Petra Rafael Sofia Tom Ursula Vera Walter Yusuf Alice Bob Chloe Dario Eva Frank Gina Henry Iris Jack Kim Laura Max
Nadia Otto Pia Ravi Sara Tim Uma Vince Will Yuki Zara Maria John Peter Lucy Paul Mary James""".split()

CITIES = """Paris London Berlin Madrid Rome Vienna Prague Lisbon Oslo Stockholm Helsinki Copenhagen Dublin Brussels
Amsterdam Warsaw Budapest Athens Zurich Geneva Munich Hamburg Cologne Milan Naples Turin Venice Florence Barcelona
Seville Valencia Porto Lyon Nice Bordeaux Toulouse Tokyo Kyoto Osaka Seoul Beijing Shanghai Bangkok Hanoi Delhi Mumbai
Cairo Lagos Nairobi Tunis Rabat Dakar Accra Lima Quito Bogota Santiago Havana Toronto Montreal Vancouver Ottawa Boston
Chicago Seattle Denver Austin Dallas Houston Miami Atlanta Phoenix Portland Detroit Sydney Melbourne Perth Brisbane
Auckland Wellington Istanbul Ankara Tehran Dubai Doha Riyadh Jerusalem Beirut Kyiv Riga Vilnius Tallinn Minsk Sofia
Belgrade Zagreb Krakow Bergen Malmo Boston Salzburg Graz Basel Bern""".split() + [
    "New York", "San Francisco", "Los Angeles", "Buenos Aires", "Mexico City", "Cape Town", "Hong Kong", "New Delhi",
    "Rio de Janeiro", "San Diego", "Kuala Lumpur", "Tel Aviv"]

CAPITALS = {
    "France": "Paris", "Germany": "Berlin", "Spain": "Madrid", "Italy": "Rome", "Austria": "Vienna",
    "Portugal": "Lisbon", "Norway": "Oslo", "Sweden": "Stockholm", "Finland": "Helsinki", "Denmark": "Copenhagen",
    "Ireland": "Dublin", "Belgium": "Brussels", "Poland": "Warsaw", "Hungary": "Budapest", "Greece": "Athens",
    "Japan": "Tokyo", "South Korea": "Seoul", "China": "Beijing", "Egypt": "Cairo", "Kenya": "Nairobi",
    "Peru": "Lima", "Canada": "Ottawa", "Cuba": "Havana", "England": "London", "Switzerland": "Bern",
    "Chile": "Santiago", "Thailand": "Bangkok", "Ukraine": "Kyiv", "Latvia": "Riga", "Estonia": "Tallinn",
}

VERBS = """book order find send create set start stop open close cancel delete add remove buy rent reserve schedule plan
write print play pause record share save load check count paint clean wash repair build move pack ship deliver collect
mark tag sort rate review publish archive invite call email remind translate upload download lock unlock water feed
train test measure scan copy rename export import sell lend borrow""".split()

NOUNS = """table flight hotel room taxi train bus car bike boat ticket seat meal pizza coffee cake recipe message letter
email note photo video song playlist film book page file folder report invoice bill payment order parcel package gift
alarm timer reminder meeting event task project team contact friend guest door window light lamp heater oven robot
printer camera phone tablet garden plant tree flower dog cat horse bird shop market museum park tour trip route map
lesson course exam game match score poll vote survey form contract house flat tent chair desk sofa shirt coat shoe hat
bag ring watch rocket drone server backup update ticket""".split()

FACTS_ASKED = """weather temperature news price population traffic humidity time score rating distance status balance
forecast address height weight length exchange_rate stock_price opening_hours phone_number wind_speed air_quality
water_level sunset sunrise speed size age capital schedule menu""".split()

CONDITIONS = """sunny cloudy rainy windy snowy foggy stormy clear cold warm hot mild dry wet""".split()
COLOURS = "red blue green yellow black white orange purple brown pink grey silver".split()
ROOMS = """kitchen bedroom bathroom garden hall cellar attic office garage bath corridor lounge""".split() + [
    "living room", "dining room"]
DEVICES = ["light", "lamp", "heater", "fan", "radio", "television", "oven", "alarm", "lights", "camera"]
LANGUAGES = ["English", "French", "German", "Spanish", "Italian", "Japanese", "Polish", "Dutch"]
SIZES = ["small", "medium", "large"]
LEVELS = ["low", "normal", "high", "urgent"]
JOBS = """teacher doctor nurse baker painter pilot farmer lawyer driver cook writer singer actor judge engineer plumber
gardener dentist tailor sailor miner waiter clerk guard""".split()
ITEMS = """apples pears books pens cups plates lamps chairs coins stamps cards shells stones eggs cookies balloons
bottles boxes candles flowers keys marbles tickets toys oranges lemons pencils spoons hats shoes""".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
TITLES = """lunch dinner breakfast dentist meeting yoga football concert party picnic interview exam haircut rehearsal
training workshop lecture swimming""".split()
ADJECTIVES = """weekly team project family school birthday morning evening board budget sales design garden music
""".split()
SAYINGS = """I am late|see you soon|happy birthday|call me back|the train is full|dinner is ready|good luck|buy milk
the key is under the mat|bring an umbrella|the meeting is over|thank you for the help|water the plants|pay the rent
feed the cat|I will be there at noon|do not wait for me|the door is open|pick up the parcel|all is well""".replace(
    "\n", "|").split("|")

SYLLABLES = """ba be bi bo bu da de di do du fa fe fi fo ga ge gi go ha he hi ho ja jo ka ke ki ko ku la le li lo lu ma
me mi mo mu na ne ni no nu pa pe pi po pu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo wa we wi za ze zi zo
bra dre fri glo kra ple pri qua sha ste tri vel zan mor tal bin ser dal nor ven lin gar tor mar fen""".split()
ENDINGS = ["", "", "", "n", "r", "s", "l", "x", "m", "k", "th", "ng"]


class Source:
    """Draws words and numbers. `held_out` sources draw what the others never do."""

    def __init__(self, seed, held_out=False):
        self.random = random.Random(seed)
        self.held_out = held_out

    def chance(self, probability):
        return self.random.random() < probability

    def integer(self, low, high):
        return self.random.randint(low, high)

    def one(self, options):
        """Any of the options: for phrasings, which evaluation shares with training."""
        return self.random.choice(options)

    def some(self, options, count):
        return self.random.sample(options, count)

    def shuffled(self, options):
        return self.random.sample(options, len(options))

    def word(self, words):
        """One of a list of values. Every sixth is held out."""
        return self.random.choice([word for index, word in enumerate(words) if (index % 6 == 5) == self.held_out])

    def invented(self):
        """A word that nobody has heard."""
        count = self.random.choice([2, 2, 3])
        return "".join(self.random.choice(SYLLABLES) for _ in range(count)) + self.random.choice(ENDINGS)

    def name(self):
        return self.word(FIRST_NAMES) if self.chance(0.6) else self.invented().capitalize()

    def city(self):
        return self.word(CITIES) if self.chance(0.65) else self.invented().capitalize()

    def day(self):
        kind = self.random.random()
        if kind < 0.5:
            return self.one(DAYS)
        if kind < 0.75:
            return f"{self.one(MONTHS)} {self.integer(1, 28)}"
        return f"2026-{self.integer(1, 12):02}-{self.integer(1, 28):02}"

    def time(self):
        return f"{self.integer(0, 23)}:{self.integer(0, 59):02}" if self.chance(0.7) else f"{self.integer(1, 12)} pm"

    def title(self):
        kind = self.random.random()
        if kind < 0.4:
            return self.word(TITLES)
        if kind < 0.7:
            return f"{self.word(ADJECTIVES)} {self.word(TITLES)}"
        if kind < 0.85:
            return f"{self.word(TITLES)} with {self.name()}"
        return self.invented()


def article(noun):
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def listing(parts):
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
