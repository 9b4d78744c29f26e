import type { Schedule } from '../../../../schemas/index.ts'
import { timeTexts } from '../../texts/time.ts'
import { capitalized } from '../letter-case.ts'

/** `At 09:00, Monday through Friday`, in the language of the reader. */
export function timingInWords({ human }: Pick<Schedule, 'human'>): string {
  return capitalized(timeTexts.sayOfTiming(human))
}
