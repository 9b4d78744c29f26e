import { counted, formatInteger } from '../numbers.ts'
import type { Texts } from '../texts.ts'

export const elements: Texts['elements'] = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyRefused: 'Der Browser lässt es nicht zu: Markieren und kopieren Sie den Text selbst',
  close: 'Schließen',
  outcomes: { good: 'Erledigt', bad: 'Nicht ausgeführt', doubt: 'Nicht bestätigt' },
  dismiss: 'Ausblenden',
  items: count => counted(count, { one: 'Element', other: 'Elemente' }),
  keys: count => counted(count, { one: 'Schlüssel', other: 'Schlüssel' }),
  showMoreOf: count => `Weitere von ${formatInteger(count)} anzeigen`,
  showAllCharacters: count => `Alle ${formatInteger(count)} Zeichen anzeigen`,
  enabled: 'Aktiv',
  disabled: 'Inaktiv',
  unknown: reason => `unbekannt: ${reason}`
}
