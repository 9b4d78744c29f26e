import { gzipSync } from 'node:zlib'

export interface Weights {
  /** Kilobytes (of 1,000 bytes), compressed with gzip at its default level. */
  readonly initialScript: number
  /** Includes the parts that the first page loads after its first paint. */
  readonly homeScript: number
  readonly style: number
}

/** Parts that the first page loads after its first paint. */
const PARTS_OF_HOME = /\btime-chart-[\w-]+\.js/g
const IMPORT = /(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g

/** What the server sends for the first page, by following the static imports of its scripts. */
export async function weigh(address: string): Promise<Weights> {
  const page = await text(`${address}/`)
  const scripts = new Map<string, string>()
  for (const [, name] of page.matchAll(/(?:src|href)="\.\/assets\/([\w.-]+\.js)"/g)) await follow(address, name!, scripts)
  const initial = [...scripts.values()]
  const parts = new Set(initial.flatMap(script => script.match(PARTS_OF_HOME) ?? []))
  if (parts.size === 0) throw new Error('The first page has no charts to load')
  for (const part of parts) await follow(address, part, scripts)
  const styles = await Promise.all([...page.matchAll(/href="\.\/assets\/([\w.-]+\.css)"/g)].map(([, name]) =>
    text(`${address}/assets/${name}`)))
  return { initialScript: weightOf(initial), homeScript: weightOf([...scripts.values()]), style: weightOf(styles) }
}

async function follow(address: string, name: string, known: Map<string, string>): Promise<void> {
  if (known.has(name)) return
  const script = await text(`${address}/assets/${name}`)
  known.set(name, script)
  for (const [, next] of script.matchAll(IMPORT)) await follow(address, next!, known)
}

async function text(url: string): Promise<string> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.text()
}

function weightOf(texts: readonly string[]): number {
  return texts.reduce((sum, each) => sum + gzipSync(each).length, 0) / 1000
}
