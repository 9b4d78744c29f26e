import { grid as english } from './en/grid.ts'
import { whenChosen } from './texts.ts'

export let gridTexts = english

whenChosen(chosen => { gridTexts = chosen?.grid ?? english })
