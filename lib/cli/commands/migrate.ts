import { isTaskDashboardError } from '../../errors.ts'
import { migrateStore } from '../../queue-app/migration/migrate-store.ts'
import { migrationScript } from '../../queue-app/migration/migration-script.ts'

export interface MigrateRequest {
  /** Null prints the SQL instead of running it. */
  readonly url: string | null
  readonly namespace: string
  /** The role that gets the rights a queue app needs; null for none. */
  readonly role: string | null
}

/** @returns the text to print, and whether it is an error */
export async function migrateTables({ url, namespace, role }: MigrateRequest): Promise<{ text: string; isError: boolean }> {
  if (url === null) return { text: await migrationScript(namespace, role), isError: false }
  try {
    await migrateStore(url, namespace, role)
    return { text: `The tables of the namespace ${namespace} are up to date.\n`, isError: false }
  } catch (error) {
    return {
      text:
        `${isTaskDashboardError(error)
          ? error.message
          : `The tables were not created: ${error instanceof Error ? error.message : 'unknown error'}`}\n`,
      isError: true
    }
  }
}
