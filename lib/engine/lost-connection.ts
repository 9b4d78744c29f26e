/** With this message alone BullMQ waits and reports again; any other error makes a failed attempt of a run that succeeded. */
const REPORTED_AGAIN = 'Connection is closed.'

/** An error of a broker that is out of reach for now, as BullMQ understands it; any other stays as it is. */
export function toLostConnection(error: unknown): unknown {
  return isLostConnection(error) ? new Error(REPORTED_AGAIN, { cause: error }) : error
}

function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return OUTAGE_CODES.test(code) || OUTAGE_MESSAGES.test(error.message)
}

/** Sockets; classes 08 and 57P of SQLSTATE, and no connection left. */
const OUTAGE_CODES = /^(?:E(?:CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)|08\w{3}|57P0\d|53300)$/
/** Of pg, which gives these no code; of Redis while it starts, moves over to another server or is full; of ioredis, of a cluster. */
const OUTAGE_MESSAGES = /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:was closed|has encountered a connection error)|(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|OOM) |None of startup nodes is available|Failed to refresh slots cache|Cluster isn't ready)/
