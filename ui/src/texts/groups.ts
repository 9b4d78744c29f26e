import { groups as english } from './en/groups.ts'
import { whenChosen } from './texts.ts'

export let groupTexts = english

whenChosen(chosen => { groupTexts = chosen?.groups ?? english })
