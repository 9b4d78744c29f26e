import { counted, formatInteger } from '../numbers.ts'

/** Elements that any page may use: buttons, dialogs, JSON, times. */
export const elements = {
  copy: 'Copy',
  copied: 'Copied',
  copyRefused: 'The browser refused: select the text and copy it',
  close: 'Close',
  outcomes: { good: 'Done', bad: 'Not done', doubt: 'Not confirmed' },
  dismiss: 'Dismiss',
  items: (count: number) => counted(count, { one: 'item', other: 'items' }),
  keys: (count: number) => counted(count, { one: 'key', other: 'keys' }),
  showMoreOf: (count: number) => `Show more of ${formatInteger(count)}`,
  showAllCharacters: (count: number) => `Show all ${formatInteger(count)} characters`,
  enabled: 'Enabled',
  disabled: 'Disabled',
  unknown: (reason: string) => `unknown: ${reason}`
}
