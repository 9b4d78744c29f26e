import { withParameters } from '../places/address.ts'

export function taskAddress(name: string): string {
  return `/tasks${withParameters('', { name })}`
}

export function scheduleAddress(schedule: string): string {
  return `/schedules${withParameters('', { schedule })}`
}

export function groupAddress(group: string): string {
  return `/failures${withParameters('', { group })}`
}

export function executionAddress(execution: string): string {
  return `/executions${withParameters('', { execution })}`
}
