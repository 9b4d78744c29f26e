import type { Texts } from '../texts.ts'

export const help: Texts['help'] = {
  keys: { find: ['Strg K', '⌘ K'], open: 'Eingabe', close: 'Esc' },
  nextRow: 'Nächste und vorige Zeile; ein offener Seitenbereich folgt',
  openRow: 'Zeile öffnen; nochmals: in den Seitenbereich wechseln',
  selectRow: 'Ausführung auswählen; mit Umschalt alle seit der letzten',
  searchPage: 'Auf dieser Seite suchen oder filtern',
  closeOpen: 'Schließen, was geöffnet ist',
  goTo: page => `Zur Seite ${page}`,
  pauseAndResume: 'Aktualisierung anhalten und fortsetzen',
  thisList: 'Diese Liste',
  singleKeys: 'Einzelne Tasten ohne Strg oder ⌘'
}
