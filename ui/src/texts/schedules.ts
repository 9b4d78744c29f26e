import { schedules as english } from './en/schedules.ts'
import { whenChosen } from './texts.ts'

export let scheduleTexts = english

whenChosen(chosen => { scheduleTexts = chosen?.schedules ?? english })
