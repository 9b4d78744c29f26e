import { createResultBackend } from '../../backend/create-result-backend.ts'
import { createBullmqEngine } from '../../engine/bullmq-engine.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { createStore } from '../../stores/create-store.ts'
import { grants } from './migration-script.ts'

/**
 * Creates or migrates all tables of a queue app in a PostgreSQL database, and grants a role its rights. Rejects with the errors of
 * `start()`.
 */
export async function migrateStore(url: string, namespace: string, role: string | null): Promise<void> {
  const store = createStore(url, { namespace, role: 'broker', onError() {} })
  if (store.kind !== 'postgres')
    throw createTaskDashboardError(
      'INVALID_OPTIONS', ['only PostgreSQL has tables to migrate: the URL begins with postgres: or postgresql:']
    )
  const engine = createBullmqEngine(store)
  try {
    await store.start()
    await createResultBackend(store).start()
    await engine.start()
    if (role !== null) for (const statement of grants(namespace, role)) await store.query(statement)
  } finally {
    await engine.stop()
    await store.stop()
  }
}
