import type { ResultPart } from './messages.ts'

type Parse = (text: string) => unknown

/** Parses rows of text into values, with pg's parsers. */
export async function loadRowParser(): Promise<(part: ResultPart) => Array<Record<string, unknown>>> {
  // A separate table, because the host may have changed the package's shared one for its own use of pg.
  const { default: { init } } = await import('pg-types/lib/textParsers.js')
  const parsers = new Map<number, Parse>()
  init((type, parse) => { parsers.set(type, parse) })

  return ({ fields, rows }) => {
    const columns = fields.map(([name, type]) => [name, parsers.get(type)] as const)
    return rows.map(values => {
      const row: Record<string, unknown> = {}
      for (const [index, [name, parse]] of columns.entries()) {
        const text = values[index] ?? null
        row[name] = text === null || parse === undefined ? text : parse(text)
      }
      return row
    })
  }
}
