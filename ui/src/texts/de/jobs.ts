import { counted } from '../numbers.ts'
import { phrase } from '../phrase.ts'
import type { Texts } from '../texts.ts'

export const jobs: Texts['jobs'] = {
  title: 'Job in BullMQ',
  notLoaded: message => `Der Job konnte nicht geladen werden: ${message}`,
  notKnown: 'Die Warteschlange hat diesen Lauf des Jobs nicht mehr. Übergeordneter Job, Teiljobs, Deduplizierung und Trace sind unbekannt.',
  parent: 'Gehört zu',
  children: 'Teiljobs',
  childrenUnknown: 'Unbekannt: Der Benutzer des Servers darf sie nicht lesen, oder der Server ist älter als Redis 6.2.',
  othersNotListed: count => `${counted(count, { one: 'weiterer Teiljob ist', other: 'weitere Teiljobs sind' })} nicht aufgeführt`,
  someNotListed: 'Möglicherweise gibt es weitere, die nicht aufgeführt sind.',
  statuses: { unfinished: 'Nicht beendet', success: 'Erfolgreich', failed: 'Fehlgeschlagen' },
  notObserved: 'Warteschlange wird nicht beobachtet',
  removed: 'Job gelöscht',
  deduplication: 'Deduplizierung',
  held: id => phrase`${id}, belegt, bis dieser Job beendet ist`,
  heldUntil: (id, when) => phrase`${id}, belegt bis ${when}`,
  notHeld: id => phrase`${id}, von diesem Job nicht mehr belegt`,
  heldUnknown: id => phrase`${id}; wer sie belegt, ist nicht lesbar`,
  trace: 'Trace'
}
