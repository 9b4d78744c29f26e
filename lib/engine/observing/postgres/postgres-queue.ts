import { readByGroup } from '../../../collections/read-by-group.ts'
import type { QueuePlace } from '../queue-place.ts'

/** The schema, which takes the place of the key prefix on Redis, as an SQL identifier. */
export function schemaOf({ prefix }: Pick<QueuePlace, 'prefix'>): string {
  return `"${prefix.replaceAll('"', '""')}"`
}

/** One value for each queue, in the order of the queues, from one statement for each schema. */
export async function ofSchemas<Value>(
  queues: readonly QueuePlace[], readOf: (schema: string, names: readonly string[]) => Promise<(queue: QueuePlace) => Value>
): Promise<Value[]> {
  return await readByGroup(queues, schemaOf, async (schema, ofSchema) => {
    const valueOf = await readOf(schema, ofSchema.map(({ name }) => name))
    return ofSchema.map(valueOf)
  })
}
