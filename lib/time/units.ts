export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../schemas/units.ts'
