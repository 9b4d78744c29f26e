import { Parser, type Result } from 'tap-parser'

/** Lines told of one failure; the whole of it stands further up in the output. */
const LINES = 40

/** Gathers the failures of a long run of tap, to be told once more at its end: a CI's log may keep no more than that. */
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

  /** @returns each failure as text, in their order. */
  end(): string[] {
    this.#parser.end()
    return this.#failed.map(describe)
  }

  #watch(parser: Parser): void {
    parser.on('child', (child: Parser) => { this.#watch(child) })
    parser.on('assert', (result: Result) => {
      if (result.ok && !result.skip && !result.todo) return
      // What holds a failed test has failed, too. A file that was killed has failed with no failed assertion in it.
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
