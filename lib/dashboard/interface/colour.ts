/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [number, number, number]

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]
/** WCAG 2.2 AA, for text of any size. */
const TEXT_CONTRAST = 4.5
/** The same, for the outline of a control. */
const CONTROL_CONTRAST = 3
/** A brighter accent would glare on the dark theme, and text on a shade of it would be hard to read. */
const MAX_DARK_CONTRAST = 10
const STEPS = 100

/**
 * The backgrounds behind the accent, per theme. These are the darkest of the light theme and the lightest of the dark one, so contrast with
 * others is higher.
 */
const LIGHT_SURFACES: readonly Colour[] = [[255, 255, 255], [244, 245, 247]]
const DARK_SURFACES: readonly Colour[] = [[17, 18, 20], [27, 29, 32]]

/** `#abc` or `#aabbcc`; null for any other text. */
export function colourFrom(text: string): Colour | null {
  const digits = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text)
  if (digits === null) return null
  const six = digits[2] ?? [...digits[1]!].map(digit => digit + digit).join('')
  return [0, 2, 4].map(at => Number.parseInt(six.slice(at, at + 2), 16)) as [number, number, number] satisfies Colour
}

export function toHex(colour: Colour): string {
  return `#${colour.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** WCAG 2.2 contrast ratio, 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Black or white, whichever is easier to read on this colour. */
export function textOn(colour: Colour): Colour {
  return contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK
}

export interface Shades {
  /** Links, marks and focus rings. */
  readonly text: Colour
  /** Primary buttons and switches. */
  readonly solid: Colour
  readonly solidHover: Colour
  readonly onSolid: Colour
  /** The current row. */
  readonly current: Colour
}

/** The accent's shades per theme: darker on white, lighter on black, changed no more than the contrast requires. */
export function shadesOf(accent: Colour): { readonly light: Shades; readonly dark: Shades } {
  const light = { surfaces: LIGHT_SURFACES, current: mix(accent, WHITE, 0.95), towards: BLACK }
  const dark = { surfaces: DARK_SURFACES, current: mix(accent, [17, 18, 20], 0.86), towards: WHITE }
  const muted = firstMix(accent, BLACK, colour => contrast(colour, DARK_SURFACES[0]!) <= MAX_DARK_CONTRAST)
  return { light: shadesOn(light, accent), dark: shadesOn(dark, muted) }
}

interface Theme { readonly surfaces: readonly Colour[]; readonly current: Colour; readonly towards: Colour }

function shadesOn({ surfaces, current, towards }: Theme, accent: Colour): Shades {
  const text = firstMix(accent, towards, colour => [...surfaces, current].every(on => contrast(colour, on) >= TEXT_CONTRAST))
  const solid = firstMix(accent, towards, colour => surfaces.every(on => contrast(colour, on) >= CONTROL_CONTRAST))
  const onSolid = textOn(solid)
  // Moves away from the text colour, so the text stays as readable.
  return { text, solid, solidHover: mix(solid, onSolid === WHITE ? BLACK : WHITE, 0.12), onSolid, current }
}

/** Mixes in as little of `towards` as necessary. */
function firstMix(colour: Colour, towards: Colour, isEnough: (mixed: Colour) => boolean): Colour {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, towards, step / STEPS).map(Math.round) as [number, number, number] satisfies Colour
    if (isEnough(mixed)) return mixed
  }
  return towards
}

function mix(colour: Colour, other: Colour, share: number): Colour {
  return colour.map((part, index) => part * (1 - share) + other[index]! * share) as [number, number, number] satisfies Colour
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map(part => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
