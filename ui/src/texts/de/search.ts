import type { Texts } from '../texts.ts'

export const search: Texts['search'] = {
  search: 'Suchen',
  searchExecutions: 'Ausführungen suchen',
  placeholder: 'Suche: Wörter aus Fehlern und Argumenten, took:>5s, since:24h …',
  enter: 'Eingabe',
  completions: 'Vorschläge',

  find: 'Suchen',
  palettePlaceholder: 'Seite, Aufgabe, Zeitplan, Fehler, Kennung oder: speichern, umbenennen oder vergessen NAME',
  found: 'Gefunden',
  moreFound: 'Es gibt weitere Treffer: Geben Sie mehr vom Namen ein.',
  nothingFound: 'Nichts mit diesem Namen gefunden.',
  kinds: {
    recent: 'Zuletzt besucht', view: 'Gespeicherte Ansicht', page: 'Seite', filter: 'Filter', task: 'Aufgabe', schedule: 'Zeitplan',
    group: 'Fehlergruppe', execution: 'Ausführung öffnen', action: 'Aktion'
  },
  statusExecutions: {
    cancelled: 'Abgebrochene Ausführungen',
    pending: 'Wartende Ausführungen', running: 'Laufende Ausführungen', success: 'Erfolgreiche Ausführungen',
    failed: 'Fehlgeschlagene Ausführungen'
  },
  searchingTasks: 'Aufgaben werden durchsucht …',
  searchingSchedules: 'Zeitpläne werden durchsucht …',
  tasks: 'Aufgaben',
  schedules: 'Zeitpläne',
  notSearched: (what, why) => `${what}: Suche fehlgeschlagen: ${why}`,
  save: 'speichern',
  savePage: name => `Diese Seite als „${name}“ speichern`,
  rename: 'umbenennen',
  renameView: (name, to) => `Gespeicherte Ansicht „${name}“ in „${to}“ umbenennen`,
  forget: 'vergessen',
  forgetView: name => `Gespeicherte Ansicht „${name}“ vergessen`,
  inUtc: 'Zeiten in UTC',
  inOwnZone: 'Zeiten in Ihrer Zeitzone'
}
