import fc from 'fast-check'
import t from 'tap'
import { colourFrom, contrast, shadesOf, textOn, toHex, type Colour } from '../../../lib/dashboard/interface/colour.ts'
import { readText } from '../../support/source-files.ts'

const hex = (text: string): Colour => colourFrom(text)!
const part = fc.integer({ min: 0, max: 255 })
const colours = fc.tuple(part, part, part)

/** A token of the interface's stylesheet, in both themes. */
function tokenOf(name: string): { light: Colour; dark: Colour } {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(readText('ui/src/styles/tokens.css'))!
  return { light: hex(light!), dark: hex(dark!) }
}

void t.test('a colour has three or six hex digits, and anything else gives null', async t => {
  t.strictSame(hex('#3b5bdb'), [59, 91, 219])
  t.strictSame(hex('#F0a'), [255, 0, 170])
  t.equal(toHex([255, 0, 170]), '#ff00aa')
  const others = [
    '', 'red', '#12', '#1234', '#12345', '#1234567', '#ggg', ' #fff', '#fff ', '#fff\n', '#fff;}', 'rgb(0,0,0)', 'url(javascript:alert(1))',
    'var(--text)', '</style>'
  ]
  for (const text of others) t.equal(colourFrom(text), null, JSON.stringify(text))
})

void t.test('contrast is computed as in WCAG, and text is black or white accordingly', async t => {
  t.equal(contrast(hex('#000'), hex('#fff')), 21)
  t.equal(contrast(hex('#777'), hex('#fff')).toFixed(2), '4.48')
  t.strictSame(textOn(hex('#ffd400')), hex('#000'))
  t.strictSame(textOn(hex('#c02a2f')), hex('#fff'))
})

void t.test('any accent leaves all text and controls readable in both themes', async () => {
  const surfaces = ['surface', 'surface-raised', 'surface-sunken', 'surface-hover'].map(tokenOf)
  const texts = ['text', 'text-muted', 'good', 'warn', 'bad'].map(tokenOf)
  const extremes = ['#000', '#fff', '#ff0', '#00f', '#0f0', '#f00', '#888', '#3b5bdb'].map(text => [[...hex(text)]])
  fc.assert(fc.property(colours, accent => {
    const shades = shadesOf(accent)
    return (['light', 'dark'] as const).every(theme => {
      const { text, solid, solidHover, onSolid, current } = shades[theme]
      return [...surfaces.map(surface => surface[theme]), current].every(surface => contrast(text, surface) >= 4.5) &&
        surfaces.every(surface => contrast(solid, surface[theme]) >= 3) &&
        contrast(onSolid, solid) >= 4.5 && contrast(onSolid, solidHover) >= 4.5 &&
        texts.every(word => contrast(word[theme], current) >= 4.5)
    })
  }), { numRuns: 2_000, examples: extremes as Array<[[number, number, number]]> })
})

void t.test('an accent that is already readable stays unchanged', async t => {
  t.equal(toHex(shadesOf(hex('#3b5bdb')).light.text), '#3b5bdb')
  t.equal(toHex(shadesOf(hex('#8ea5ff')).dark.text), '#8ea5ff')
})
