/** There is no autovacuum, and there are no checkpoints but these. */
const EVERY_STATEMENTS = 15_000
/** While there is other work, one step follows another after so many statements. */
const STATEMENTS_BETWEEN = 40

/** Housekeeping of the database in small steps, a table each: others run in between. A step that fails is left out. */
export function createHousekeeping(run: (text: string) => Promise<Array<{ rows: ReadonlyArray<ReadonlyArray<string | null>> }>>) {
  let steps: string[] = []
  let untilNext = EVERY_STATEMENTS
  let sinceStep = 0

  return {
    /** A statement ran. */
    count(): void {
      untilNext--
      sinceStep++
    },

    get isDue(): boolean { return steps.length > 0 || untilNext <= 0 },

    isTurn(isIdle: boolean): boolean {
      return this.isDue && (isIdle || sinceStep >= STATEMENTS_BETWEEN)
    },

    async doNext(): Promise<void> {
      sinceStep = 0
      if (steps.length > 0) return void await run(steps.shift()!).catch(() => {})
      untilNext = EVERY_STATEMENTS
      const parts = await run(
        'SELECT format(\'%I.%I\', schemaname, relname) FROM pg_stat_user_tables ORDER BY n_tup_ins + n_tup_upd + n_tup_del'
      ).catch(() => [])
      // Each a statement of its own: VACUUM cannot run inside a transaction block.
      steps = [...parts.flatMap(part => part.rows).flatMap(([name]) => [`VACUUM ${name}`, `ANALYZE ${name}`]), 'CHECKPOINT']
    }
  }
}
