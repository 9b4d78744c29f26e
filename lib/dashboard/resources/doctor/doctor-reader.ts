import type { Doctor, Finding, FindingCheck } from '../../../../schemas/doctor.ts'
import type { DatastoreReport } from '../../../queue-app/monitoring/describe-store.ts'
import type { HealthReport, Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { forwardingHeadersIn, LINES_OF_A_PROXY, sentByProxy } from '../../http/forwarding-headers.ts'
import { answerOf, probeOf } from '../answer.ts'
import type { Snapshots } from '../snapshots.ts'

/** A request as received. */
export interface SeenRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly path: string
}

export interface DoctorOptions { readonly version: string; readonly trustForwarded: boolean }

export type DoctorReader = (request: SeenRequest) => Promise<Doctor>

const MAX_HEADER_LENGTH = 255

export function createDoctorReader(monitoring: Monitoring, snapshots: Snapshots, { version, trustForwarded }: DoctorOptions): DoctorReader {
  return async request => {
    const [health, stores] = await snapshots.read('doctor', () =>
      Promise.all([probeOf(monitoring, () => monitoring.health()), answerOf(monitoring, () => monitoring.datastores())]))
    const host = request.headers['host']
    const isObserved = !monitoring.supports.changes
    const fixes = isObserved ? FIXES_OF_OBSERVED : FIXES
    return {
      timestamp: new Date().toISOString(),
      version,
      request: {
        host: typeof host === 'string' ? host.slice(0, MAX_HEADER_LENGTH) : null,
        path: request.path.slice(0, MAX_HEADER_LENGTH),
        forwarded: forwardingHeadersOf(request)
      },
      findings: [
        prefixFinding(request, trustForwarded),
        ...proxyFindings(request, trustForwarded),
        ...healthFindings(health, fixes),
        ...isObserved ? serverFindings(stores.broker) : storeFindings('broker', stores.broker, fixes),
        ...storeFindings('backend', stores.backend, fixes),
        ok(
          'versions',
          `fastify-task-dashboard ${version}, Node ${process.versions.node}, broker ${nameOf(stores.broker)}, result ` +
            `backend ${nameOf(stores.backend)}`
        )
      ]
    }
  }
}

function prefixFinding({ headers, path }: SeenRequest, trustForwarded: boolean): Finding {
  if (sentByProxy(headers, 'prefix') === undefined || trustForwarded)
    return ok('prefix', `The request arrived at ${path.slice(0, MAX_HEADER_LENGTH)}`)
  return warning('prefix', 'A proxy sends X-Forwarded-Prefix, which is not trusted', 'trustForwarded: true')
}

function proxyFindings(request: SeenRequest, trustForwarded: boolean): Finding[] {
  const { headers } = request
  if (forwardingHeadersOf(request).length === 0) return [ok('proxy', 'No header shows that a proxy forwarded this request')]
  const missing = LINES_OF_A_PROXY.filter(([name]) => headers[name] === undefined)
    .map(([name, line]) => warning('proxy', `The proxy does not send ${name}`, line))
  const sentHost = sentByProxy(headers, 'host')
  const isHostReplaced = !trustForwarded && sentHost !== undefined && sentHost !== headers['host']
  if (isHostReplaced)
    missing.push(error(
      'proxy', 'The proxy replaces Host, so writes from browsers may be refused as cross-site', 'proxy_set_header Host $http_host;'
    ))
  return missing.length > 0 ? missing : [ok('proxy', 'The proxy sends all the headers it should')]
}

type Fixes = Readonly<Record<'broker' | 'backend' | 'scheduler' | 'workers', string>> & { memory(role: 'broker' | 'backend'): string }

const FIXES: Fixes = {
  broker: 'QueueApp.fromUrls({ broker: \'redis://localhost:6379/0\' })',
  backend: 'QueueApp.fromUrls({ backend: \'redis://localhost:6379/1\' })',
  scheduler: 'await queueApp.start()',
  workers: 'await queueApp.run()',
  memory: role => `QueueApp.fromUrls({ ${role}: 'embedded:./queue' })`
}

/** For an app that only has existing queues, which the command or a program may have started. */
const FIXES_OF_OBSERVED: Fixes = {
  ...FIXES,
  broker: '--broker redis://localhost:6379  # in code: QueueApp.fromQueues({ broker: \'redis://localhost:6379\' })',
  backend: '--backend redis://localhost:6379/1  # in code: QueueApp.fromQueues(…, { backend: \'redis://localhost:6379/1\' })',
  memory: () => '--backend embedded:./history  # in code: QueueApp.fromQueues(…, { backend: \'embedded:./history\' })'
}

function healthFindings({ components }: HealthReport, fixes: Fixes): Finding[] {
  return (['broker', 'backend', 'scheduler', 'workers'] as const).map(check => {
    const { healthy, message } = components[check]
    if (healthy) return ok(check, message)
    return (check === 'workers' ? warning : error)(check, message, fixes[check])
  })
}

/** Settings of the server belong to its owner. BullMQ asks for this one; whether it survives a crash is not asked. */
function serverFindings({ evictionPolicy }: DatastoreReport): Finding[] {
  if (evictionPolicy === null) return []
  if (evictionPolicy === 'noeviction') return [ok('eviction', 'The server of the queues keeps their jobs when its memory is full')]
  return [{
    check: 'eviction', level: 'warning', fix: null,
    message: `The server of the queues has the eviction policy ${evictionPolicy} and may drop jobs when its memory is full; BullMQ asks ` +
      'its owner for noeviction'
  }]
}

function storeFindings(role: 'broker' | 'backend', { kind, evictionPolicy, persistence }: DatastoreReport, fixes: Fixes): Finding[] {
  const findings: Finding[] = []
  if (evictionPolicy === 'noeviction') findings.push(ok('eviction', `The ${role} keeps its data when its memory is full`))
  else if (evictionPolicy !== null)
    findings.push(error(
      'eviction', `The ${role} has the eviction policy ${evictionPolicy} and may drop executions when its memory is full`,
      'maxmemory-policy noeviction'
    ))
  switch (persistence) {
    case 'log': findings.push(ok('persistence', `The ${role} survives a crash`)); break
    case 'snapshots':
      findings.push(warning('persistence', `The ${role} loses everything since its last snapshot when it crashes`, 'appendonly yes'))
      break
    case 'none': findings.push(error('persistence', `The ${role} loses everything when it restarts`, 'appendonly yes')); break
    case 'memory':
      findings.push(warning('persistence', `The ${role} is in this process's memory and is lost with it`, fixes.memory(role)))
      break
    case null:
      if (kind === 'redis')
        findings.push(warning('persistence', `The ${role} does not report whether it survives a restart`, 'appendonly yes'))
  }
  return findings
}

function forwardingHeadersOf({ headers }: SeenRequest): string[] {
  return forwardingHeadersIn(headers).map(name => name.slice(0, MAX_HEADER_LENGTH))
}

function nameOf({ kind, version }: DatastoreReport): string {
  return version === null ? kind : `${kind} ${version}`
}

const ok = (check: FindingCheck, message: string): Finding => ({ check, level: 'ok', message, fix: null })
const warning = (check: FindingCheck, message: string, fix: string): Finding => ({ check, level: 'warning', message, fix })
const error = (check: FindingCheck, message: string, fix: string): Finding => ({ check, level: 'error', message, fix })
