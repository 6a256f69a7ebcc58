"""A tool: what stands of it in the prompt, and how a request for it sounds."""

from dataclasses import dataclass

from conversation import sorted_keys


@dataclass
class Tool:
    name: str
    description: str
    parameters: list
    requests: list  # texts with `{}` where the phrases stand
    topic: str

    def definition(self, source):
        """The JSON object that stands in the prompt. The order of keys differs as apps differ; arguments follow it."""
        is_sorted = source.chance(0.15)
        if is_sorted:
            self.parameters.sort(key=lambda parameter: parameter.name)
        properties = {parameter.name: shuffled_keys(source, parameter.schema) for parameter in self.parameters}
        required = [parameter.name for parameter in self.parameters if parameter.is_required]
        parameters = {"type": "object", "properties": properties, "required": required}
        if not required and source.chance(0.5):
            del parameters["required"]
        definition = {"name": self.name, "description": self.description, "parameters": parameters}
        return sorted_keys(definition) if is_sorted else definition


def shuffled_keys(source, schema):
    return dict(source.shuffled(list(schema.items()))) if source.chance(0.3) else schema


def spelled(source, *words):
    """Words as one identifier, in one of the usual spellings."""
    style = source.one(["snake"] * 6 + ["camel"] * 2)
    if style == "snake":
        return "_".join(words)
    return words[0] + "".join(word.capitalize() for word in words[1:])
