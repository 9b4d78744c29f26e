import type { Texts } from '../texts.ts'

export const grid: Texts['grid'] = {
  menu: 'Spalten und Zeilenabstand',
  columns: 'Spalten',
  rows: 'Zeilen',
  densities: { comfortable: 'Weit', compact: 'Eng' },
  columnsGiveWay: 'Fehlt der Platz, entfallen Spalten.'
}
