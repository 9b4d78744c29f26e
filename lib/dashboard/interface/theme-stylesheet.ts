import { colourFrom, shadesOf, textOn, toHex, type Colour, type Shades } from './colour.ts'
import type { ResolvedInterfaceOptions } from './interface-options.ts'

/** The host's colours as a stylesheet that follows the interface's own; null if there are none. */
export function themeStylesheet(
  { accent, environmentColour }: Pick<ResolvedInterfaceOptions, 'accent' | 'environmentColour'>
): string | null {
  const rules = [accent === null ? null : accentRule(colourFrom(accent)!), badgeRule(environmentColour)].filter(rule => rule !== null)
  return rules.length === 0 ? null : `${rules.join('\n')}\n`
}

function accentRule(accent: Colour): string {
  const { light, dark } = shadesOf(accent)
  const both = (name: keyof Shades): string => `light-dark(${toHex(light[name])}, ${toHex(dark[name])})`
  return `:root {
  --accent: ${both('text')};
  --accent-solid: ${both('solid')};
  --accent-solid-hover: ${both('solidHover')};
  --on-accent: ${both('onSolid')};
  --surface-current: ${both('current')};
}`
}

function badgeRule(colour: string | null): string | null {
  const background = colour === null ? null : colourFrom(colour)!
  return background &&
    `.environment { border-color: ${toHex(background)}; background: ${toHex(background)}; color: ${toHex(textOn(background))}; }`
}
