/** The maintenance, which replaces autovacuum and checkpoints, starts after this many statements. The embedded database has neither. */
const EVERY_STATEMENTS = 15_000
/** While there is other work, a step runs after this many statements. */
const STATEMENTS_BETWEEN = 40

/** Maintains the database in small steps, one table at a time, so that other statements run in between. A step that fails is skipped. */
export function createHousekeeping(run: (text: string) => Promise<Array<{ rows: ReadonlyArray<ReadonlyArray<string | null>> }>>) {
  let steps: string[] = []
  let untilNext = EVERY_STATEMENTS
  let sinceStep = 0

  return {
    /** Counts a statement. */
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
      // Separate statements, because VACUUM cannot run inside a transaction block.
      steps = [...parts.flatMap(part => part.rows).flatMap(([name]) => [`VACUUM ${name}`, `ANALYZE ${name}`]), 'CHECKPOINT']
    }
  }
}
