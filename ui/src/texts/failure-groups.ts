import { groups as english } from './en/failure-groups.ts'
import { whenChosen } from './texts.ts'

export let groupTexts = english

whenChosen(chosen => { groupTexts = chosen?.groups ?? english })
