import { tasks as english } from './en/tasks.ts'
import { whenChosen } from './texts.ts'

export let taskTexts = english

whenChosen(chosen => { taskTexts = chosen?.tasks ?? english })
