import { runMigrations } from 'bullmq'
import type { SqlResult } from '../../stores/store.ts'
import { ownStatements } from './prepare-queue.ts'

/**
 * What `prepareQueue` does, as idempotent SQL with the schema in `search_path`. BullMQ does not publish its migrations, so this records
 * what it sends to an empty database.
 */
export async function queueScript(schema: string): Promise<string> {
  const parts: string[] = []
  let last = ''
  await runMigrations({
    query(text: string, parameters: readonly unknown[] = []): Promise<SqlResult<object>> {
      if (text.startsWith('INSERT INTO migration ')) {
        const tag = `$bullmq_${String(parameters[0])}$`
        // The step recorded last becomes one that runs only once.
        parts[parts.length - 1] = `DO ${tag}BEGIN
IF NOT EXISTS (SELECT FROM migration WHERE version = ${literal(parameters[0])}) THEN
EXECUTE $step$${last}$step$;
${withValues(text, parameters)};
END IF;
END${tag};`
        if (last.includes('$step$')) throw new Error('A migration of BullMQ holds the text $step$')
      } else if (!/^(?:BEGIN|COMMIT|ROLLBACK|SELECT |CREATE SCHEMA |SET LOCAL )/.test(text)) {
        parts.push(`${withValues(text, parameters)};`)
      }
      last = text
      return Promise.resolve({ rows: [{ version: 0, min_client_version: 0 }], rowCount: 1 })
    }
  } as never, schema, { skipVersionCheck: true })
  return [...parts, ...ownStatements(schema).map(statement => `${statement};`)].join('\n')
}

function withValues(text: string, parameters: readonly unknown[]): string {
  return parameters.length === 0 ? text : text.replace(/\$(\d+)/g, (_all, number: string) => literal(parameters[Number(number) - 1]))
}

function literal(value: unknown): string {
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll('\'', '\'\'')}'`
}
