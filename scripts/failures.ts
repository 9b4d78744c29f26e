import { Parser, type Result } from 'tap-parser'

/** Lines shown per failure; the full text is further up in the output. */
const LINES = 40

/** Collects the failures of a long tap run and repeats them at the end, because a CI log may keep only that. */
export class Failures {
  readonly #failed: Result[] = []
  readonly #parser = new Parser()

  constructor() {
    this.#watch(this.#parser)
  }

  /** Takes a line of tap's output. */
  add(line: string): void {
    this.#parser.write(`${line}\n`)
  }

  /** @returns each failure as text, in order */
  end(): string[] {
    this.#parser.end()
    return this.#failed.map(describe)
  }

  #watch(parser: Parser): void {
    parser.on('child', (child: Parser) => { this.#watch(child) })
    parser.on('assert', (result: Result) => {
      if (result.ok && !result.skip && !result.todo) return
      // A test that contains a failed one has failed too, so it is left out. A killed file has no failed assertion, so it is listed itself.
      const isHolder = this.#failed.some(({ fullname }) => fullname.startsWith(`${result.fullname} > `))
      if (!isHolder) this.#failed.push(result)
    })
  }
}

function describe({ fullname, diag, skip, todo }: Result): string {
  const why = skip ? ' (skipped)' : todo ? ' (todo)' : ''
  const details = Object.entries((diag ?? {}) as Record<string, unknown>)
    .filter(([key]) => key !== 'source' && key !== 'at')
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return [`${fullname}${why}`, ...details].flatMap(text => text.trimEnd().split('\n')).slice(0, LINES).join('\n    ')
}
