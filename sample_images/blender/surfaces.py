"""Blender materials: print, wood, vinyl, cloth, plastic, skin; all procedural, none too even."""

from __future__ import annotations

from typing import Any

import bpy

from sample_images.materials import linear
from sample_images.scene import Colour

GRAIN = 0.16
"""Amplitude of wood grain; real boards show less than one thinks."""


class Shader:
    """A material under construction: each node is added by its kind and inputs."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self._tree = self.material.node_tree
        self._tree.nodes.clear()

    def node(self, kind: str, inputs: dict[Any, Any] | None = None, **settings: Any) -> Any:
        """Adds a node; an input is a value or another node's output."""
        node = self._tree.nodes.new("ShaderNode" + kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for key, value in (inputs or {}).items():
            if isinstance(value, bpy.types.NodeSocket):
                self._tree.links.new(value, node.inputs[key])
            else:
                node.inputs[key].default_value = value
        return node

    def math(self, operation: str, first: Any, second: Any = 0.0, third: Any = 0.0) -> Any:
        return self.node("Math", {0: first, 1: second, 2: third}, operation=operation).outputs[0]

    def scaled(self, colour: Any, factor: Any) -> Any:
        """A colour times a number."""
        if isinstance(colour, tuple):
            colour = colour[:3]  # a vector has no alpha
        node = self.node("VectorMath", {0: colour, 3: factor}, operation="SCALE")
        return node.outputs[0]

    def mixed(self, first: Any, second: Any, share: Any) -> Any:
        """`first` with this share of `second`, colours."""
        node = self.node("Mix", {0: share, 6: first, 7: second}, data_type="RGBA")
        return node.outputs[2]

    def noise(self, place: Any, scale: float, detail: float = 3.0, distortion: float = 0.0) -> Any:
        """0 to 1, mostly near a half."""
        inputs = {"Vector": place, "Scale": scale, "Detail": detail, "Distortion": distortion}
        return self.node("TexNoise", inputs).outputs[0]

    def around_one(self, value: Any, amount: float) -> Any:
        """A noise turned into a factor: 1 more or less `amount`."""
        return self.math("MULTIPLY_ADD", value, 4 * amount, 1 - 2 * amount)

    def place(self) -> Any:
        """Where on the object, in its own frame."""
        return self.node("TexCoord").outputs["Object"]

    def stretched(self, place: Any, scale: tuple[float, float, float], turn: float = 0.0) -> Any:
        inputs = {"Vector": place, "Scale": scale, "Rotation": (0.0, 0.0, turn)}
        return self.node("Mapping", inputs).outputs[0]

    def attribute(self, name: str, output: str = "Fac") -> Any:
        """A value that the mesh carries."""
        return self.node("Attribute", attribute_name=name).outputs[output]

    def bump(self, height: Any, distance: float, upon: Any = None) -> Any:
        """A surface with these heights, laid over another one's bumps if there are any."""
        inputs = {"Height": height, "Distance": distance, "Strength": 1.0}
        if upon is not None:
            inputs["Normal"] = upon
        return self.node("Bump", inputs).outputs[0]

    def finish(self, colour: Any, roughness: Any, **more: Any) -> Any:
        """The finished material; `more` are inputs of the principled surface, `_` for blanks."""
        inputs = {"Base Color": colour, "Roughness": roughness}
        inputs |= {name.replace("_", " "): value for name, value in more.items()}
        surface = self.node("BsdfPrincipled", inputs)
        output = self.node("OutputMaterial")
        self._tree.links.new(surface.outputs[0], output.inputs[0])
        return self.material


def paint(colour: Colour) -> tuple[float, float, float, float]:
    """A screen colour as linear light with an alpha."""
    red, green, blue = (float(v) for v in linear(colour))
    return red, green, blue, 1.0


def plain(name: str, colour: Colour, roughness: float = 0.5, speckle: float = 0.02) -> Any:
    """Paint, plastic or paper."""
    shader = Shader(name)
    even = shader.around_one(shader.noise(shader.place(), 2.5), speckle)
    return shader.finish(shader.scaled(paint(colour), even), roughness)


def square(name: str, colour: Colour, texture: str, gloss: float, wear: float) -> Any:
    """The squares of one colour; the mesh carries `tone` and `shift` for each."""
    shader = Shader(name)
    place = shader.node(
        "VectorMath",
        {0: shader.place(), 1: shader.attribute("shift", "Vector")},
        operation="ADD",
    ).outputs[0]
    tone, rise = _texture(shader, place, texture)
    tone = shader.math("MULTIPLY", tone, shader.attribute("tone"))
    worn = _worn(shader, shader.scaled(paint(colour), tone), wear)
    smear = shader.noise(shader.place(), 1.3, 4.0)
    rough = shader.math("MULTIPLY_ADD", smear, 0.22, 0.66 - 0.6 * gloss)
    # Print under varnish or plastic: a faint, clearer reflection over the dull one.
    varnish = 0.0 if texture == "cloth" else 0.35 * gloss
    normal = shader.bump(rise, 0.004)
    return shader.finish(worn, rough, Normal=normal, Coat_Weight=varnish, Coat_Roughness=0.12)


def _texture(shader: Shader, place: Any, texture: str) -> tuple[Any, Any]:
    """A factor for the colour and a height for the bumps."""
    if texture == "wood":
        return _grain(shader, place)
    if texture == "cloth":
        return _weave(shader, place, 34.0)
    fine, coarse = shader.noise(place, 70.0, 2.0), shader.noise(place, 2.0)
    amount = 0.02 if texture == "vinyl" else 0.035
    tone = shader.math("MULTIPLY", shader.around_one(fine, amount), shader.around_one(coarse, 0.03))
    return tone, shader.math("MULTIPLY", fine, 0.3)


def _grain(shader: Shader, place: Any) -> tuple[Any, Any]:
    rings = shader.noise(shader.stretched(place, (0.7, 7.0, 3.0)), 1.6, 5.0, 0.7)
    pores = shader.noise(shader.stretched(place, (3.0, 90.0, 30.0)), 1.0, 2.0)
    tone = shader.math("MULTIPLY", shader.around_one(rings, GRAIN), shader.around_one(pores, 0.06))
    return tone, shader.math("MULTIPLY", pores, 0.35)


def _weave(shader: Shader, place: Any, threads: float) -> tuple[Any, Any]:
    """Threads over and under, with the slubs of real yarn."""
    split = shader.node("SeparateXYZ", {0: place})
    waves = [
        shader.math("SINE", shader.math("MULTIPLY", split.outputs[axis], threads * 3.14159 * 2))
        for axis in (0, 1)
    ]
    height = shader.math("MULTIPLY", waves[0], waves[1])
    slubs = shader.noise(shader.stretched(place, (5.0, 40.0, 20.0)), 1.0, 2.0)
    tone = shader.math("MULTIPLY_ADD", height, 0.05, shader.around_one(slubs, 0.05))
    return tone, shader.math("MULTIPLY", height, 1.5)


def _worn(shader: Shader, colour: Any, wear: float) -> Any:
    """Scratches and rubbed patches, lighter than what they lie in."""
    if wear < 0.05:
        return colour
    for turn in (0.4, 2.1):
        lines = shader.noise(shader.stretched(shader.place(), (1.5, 110.0, 1.0), turn), 1.0, 2.0)
        share = shader.node("MapRange", {0: lines, 1: 0.68, 2: 0.78, 3: 0.0, 4: 0.35 * wear})
        colour = shader.mixed(colour, (0.5, 0.47, 0.42, 1.0), share.outputs[0])
    patches = shader.noise(shader.place(), 1.1, 6.0)
    rubbed = shader.node("MapRange", {0: patches, 1: 0.5, 2: 0.75, 3: 0.0, 4: 0.25 * wear})
    return shader.mixed(colour, (0.42, 0.4, 0.36, 1.0), rubbed.outputs[0])


def wood(name: str, colour: Colour, gloss: float = 0.3, plank: float = 0.0) -> Any:
    """Timber with the grain along x, in planks of this width or (0) of one piece."""
    shader = Shader(name)
    place = shader.place()
    joint: Any = 1.0
    if plank:
        place, joint = _planks(shader, place, plank)
    tone, rise = _grain(shader, place)
    smear = shader.noise(shader.place(), 0.5, 5.0)
    rough = shader.math("MULTIPLY_ADD", smear, 0.25, 0.6 - 0.45 * gloss)
    coloured = shader.scaled(paint(colour), shader.math("MULTIPLY", tone, joint))
    return shader.finish(coloured, rough, Normal=shader.bump(rise, 0.003))


def _planks(shader: Shader, place: Any, width: float) -> tuple[Any, Any]:
    """Where in its timber each plank was cut, and a factor that darkens the joints."""
    split = shader.node("SeparateXYZ", {0: place})
    across = shader.math("DIVIDE", split.outputs[1], width)
    number = shader.math("FLOOR", across)
    jump = shader.math("FRACT", shader.math("MULTIPLY", number, 0.618))
    shift = shader.math("MULTIPLY", jump, 40.0)
    moved = shader.node("CombineXYZ", {0: shift, 1: shift, 2: 0.0}).outputs[0]
    cut = shader.node("VectorMath", {0: place, 1: moved}, operation="ADD").outputs[0]
    open_joint = shader.math("LESS_THAN", shader.math("FRACT", across), 0.035 / width)
    shade = shader.math("MULTIPLY_ADD", jump, 0.2, 0.9)
    return cut, shader.math("MULTIPLY", shade, shader.math("MULTIPLY_ADD", open_joint, -0.6, 1.0))


def cloth(name: str, colour: Colour, threads: float = 22.0, creases: float = 0.0) -> Any:
    """Woven, with creases this high; large folds are left to the mesh."""
    shader = Shader(name)
    tone, rise = _weave(shader, shader.place(), threads)
    worn = shader.math("MULTIPLY", tone, shader.around_one(shader.noise(shader.place(), 1.2), 0.06))
    coloured = shader.scaled(paint(colour), worn)
    normal = shader.bump(rise, 0.01)
    if creases:
        normal = shader.bump(_creases(shader), creases, normal)
    return shader.finish(coloured, 0.9, Normal=normal, Sheen_Weight=0.25)


def _creases(shader: Shader) -> Any:
    """Sharp ridges between smooth hollows, as cloth has that is bent."""
    wide = shader.noise(shader.stretched(shader.place(), (0.8, 1.5, 1.2), 0.5), 1.1, 2.0, 1.0)
    ridge = shader.math("ABSOLUTE", shader.math("SUBTRACT", wide, 0.5))
    return shader.math("MULTIPLY", shader.math("POWER", ridge, 0.7), -1.0)


def disc(name: str, colour: Colour, wooden: bool, gloss: float) -> Any:
    """A disc; its object's colour holds its shade and where in the wood it was cut."""
    shader = Shader(name)
    info = shader.node("ObjectInfo")
    parts = shader.node("SeparateColor", {0: info.outputs["Color"]})
    place = shader.node(
        "VectorMath", {0: shader.place(), 1: info.outputs["Color"]}, operation="MULTIPLY_ADD"
    )
    place.inputs[1].default_value = (1.0, 1.0, 1.0)
    shader.material.node_tree.links.new(info.outputs["Color"], place.inputs[2])
    tone: Any = shader.around_one(shader.noise(place.outputs[0], 4.0), 0.025)
    if wooden:
        grain, _ = _grain(shader, shader.scaled(place.outputs[0], 2.5))
        tone = shader.math("MULTIPLY", tone, grain)
    tone = shader.math("MULTIPLY", tone, parts.outputs[0])
    scuffs = shader.noise(shader.stretched(place.outputs[0], (6.0, 60.0, 6.0), 0.8), 1.0, 3.0)
    rough = shader.math("MULTIPLY_ADD", scuffs, 0.3, 0.42 - 0.4 * gloss)
    rise = shader.math("MULTIPLY", shader.noise(place.outputs[0], 45.0, 2.0), 0.25)
    coloured = shader.scaled(paint(colour), tone)
    return shader.finish(coloured, rough, Normal=shader.bump(rise, 0.003))


def skin(name: str, colour: Colour) -> Any:
    """Light enters it and comes out redder; joints and tips (`blush`) are redder still."""
    shader = Shader(name)
    blotches = shader.around_one(shader.noise(shader.place(), 2.2, 5.0), 0.07)
    red = (colour[0], int(colour[1] * 0.82), int(colour[2] * 0.8))
    blush = shader.mixed(paint(colour), paint(red), shader.attribute("blush"))
    creases = shader.noise(shader.stretched(shader.place(), (1.0, 1.6, 1.0)), 26.0, 4.0)
    veins = shader.noise(shader.place(), 1.6, 1.0, 1.2)
    raised = shader.math("ABSOLUTE", shader.math("SUBTRACT", veins, 0.5))
    swollen = shader.node("MapRange", {0: raised, 1: 0.0, 2: 0.09, 3: 1.0, 4: 0.0}).outputs[0]
    blue = shader.mixed(blush, paint(_veined(colour)), shader.math("MULTIPLY", swollen, 0.1))
    return shader.finish(
        shader.scaled(blue, blotches),
        shader.math("MULTIPLY_ADD", creases, 0.3, 0.42),
        Normal=shader.bump(creases, 0.012, shader.bump(swollen, 0.006)),
        Specular_IOR_Level=0.35,
        Subsurface_Weight=0.2,
        Subsurface_Radius=(0.03, 0.014, 0.01),
        Subsurface_Scale=1.0,
    )


def _veined(colour: Colour) -> Colour:
    return int(colour[0] * 0.78), int(colour[1] * 0.9), int(colour[2] * 1.02)


def glowing(name: str, colour: Colour, strength: float) -> Any:
    """A surface that sends out light by itself."""
    shader = Shader(name)
    light = {"Emission_Strength": strength, "Emission_Color": paint(colour)}
    return shader.finish((0.0, 0.0, 0.0, 1.0), 1.0, **light)


def glass_screen(name: str) -> Any:
    """The dark glass of a telephone or a display."""
    return Shader(name).finish((0.008, 0.009, 0.012, 1.0), 0.06)
