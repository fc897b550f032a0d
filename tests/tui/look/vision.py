"""How far apart colours look: to everybody, and to whoever lacks red or green. A colour is red, green, blue, 0 to 255.

Sources: WCAG 2.2, "contrast ratio" and "relative luminance"; F. Viénot, H. Brettel and J. Mollon, "Digital video
colourmaps for checking the legibility of displays by dichromats", Color Research and Application 24 (1999); G. Machado,
M. Oliveira and L. Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15
(2009), severity 1.0; G. Sharma, W. Wu and E. Dalal, "The CIEDE2000 color-difference formula", Color Research and
Application 30 (2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Numbers = Sequence[float]
Matrix = Sequence[Numbers]

TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)
TO_CONES = ((17.8824, 43.5161, 4.11935), (3.45565, 27.1554, 3.86714), (0.0299566, 0.184309, 1.46709))
FROM_CONES = ((0.0809444479, -0.130504409, 0.116721066), (-0.0102485335, 0.0540193266, -0.113614708),
              (-0.000365296938, -0.00412161469, 0.693511405))
VIENOT = {"protanopia": ((0, 2.02344, -2.52581), (0, 1, 0), (0, 0, 1)),
          "deuteranopia": ((1, 0, 0), (0.494207, 0, 1.24827), (0, 0, 1))}
MACHADO = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}


def times(matrix: Matrix, vector: Numbers) -> list[float]:
    return [sum(one * other for one, other in zip(line, vector, strict=True)) for line in matrix]


def linear(colour: Numbers) -> list[float]:
    """Light, 0 to 1, of an sRGB colour."""
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (p / 255 for p in colour)]


def contrast(one: Numbers, other: Numbers) -> float:
    """From 1 to 21."""
    dark, light = sorted(times(TO_XYZ, linear(each))[1] for each in (one, other))
    return (light + 0.05) / (dark + 0.05)


def seen(colour: Numbers) -> dict[str, list[float]]:
    """The light of a colour as it looks to everybody, and with either deficiency in either model."""
    light = linear(colour)
    found = {"all cones": light}
    found |= {f"{lack}, Viénot": times(FROM_CONES, times(cones, times(TO_CONES, light)))
              for lack, cones in VIENOT.items()}
    found |= {f"{lack}, Machado": times(matrix, light) for lack, matrix in MACHADO.items()}
    return {name: [min(1.0, max(0.0, part)) for part in each] for name, each in found.items()}


def lab(light: Numbers) -> tuple[float, float, float]:
    """CIELAB of linear sRGB, under D65."""
    parts = [part / white for part, white in zip(times(TO_XYZ, light), WHITE, strict=True)]
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Numbers, other: Numbers) -> float:
    """The difference of two colours of CIELAB. It is never more than that of CIE76 where colours are strong."""
    mean = (hypot(*one[1:]) + hypot(*other[1:])) / 2
    stretch = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    (l1, c1, h1), (l2, c2, h2) = ((each[0], hypot(each[1] * stretch, each[2]),
                                   degrees(atan2(each[2], each[1] * stretch)) % 360) for each in (one, other))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = h1 + turn / 2 if c1 * c2 else h1 + h2
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 - sum(weight * cos(radians(times * hue + turned)) for weight, times, turned in (
        (0.17, 1, -30), (-0.24, 2, 0), (-0.32, 3, 6), (0.20, 4, -63)))
    by_light = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * t)
    twist = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue % 360 - 275) / 25) ** 2))))
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + twist * by_chroma * by_hue)


def nearest(colours: Sequence[Numbers]) -> tuple[float, str]:
    """The least difference among some colours, and how they were seen then."""
    looks = [{name: lab(light) for name, light in seen(each).items()} for each in colours]
    pairs = [(a, b) for a, b in product(range(len(colours)), repeat=2) if a < b]
    return min((ciede2000(looks[a][name], looks[b][name]), name) for a, b in pairs for name in looks[0])
