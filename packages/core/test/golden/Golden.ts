// Golden sentences: messages that customers could write, with the decision that a person expects of a preset. The
// sentences are divided into two halves. Work on word lists and presets looks at the failures of the tuning half only,
// never at those of the held-back half. A third set was written after that work and measures how well the result
// generalises. `docs/reference/classifier.md` states the figures.

import type { KnownIntent, Urgency } from "../../src/domain/classification/Classification.ts"
import { keywordsVersion } from "../../src/domain/classification/KeywordClassifier.ts"
import { assessMessage } from "../../src/domain/run/AssessMessage.ts"
import type { RunSubject } from "../../src/domain/run/RunSubject.ts"
import { compileRules, evaluateRules } from "../../src/domain/rule/CompileRules.ts"
import { factsOf } from "../../src/domain/rule/Fact.ts"
import { findPreset } from "../../src/domain/tenant/preset/Preset.ts"
import { defaultConfig } from "../../src/domain/tenant/TenantConfig.ts"
import { timeFactsIn } from "../../src/domain/time/TimeFacts.ts"
import { automotive } from "./Automotive.ts"
import { dental } from "./Dental.ts"
import { homeServices } from "./HomeServices.ts"
import { insurance } from "./Insurance.ts"
import { later } from "./Later.ts"
import { legal } from "./Legal.ts"
import { realEstate } from "./RealEstate.ts"

export const languages = ["en", "de", "fr", "es", "it"] as const
export type Language = (typeof languages)[number]

/** A sentence with its language and the expected intent, urgency and matched rules (ids, separated by spaces). */
export type Golden = readonly [language: Language, intent: KnownIntent, urgency: Urgency, rules: string, text: string]

export const goldenPresets: Readonly<Record<string, ReadonlyArray<Golden>>> = {
  home_services: homeServices,
  real_estate: realEstate,
  dental,
  automotive,
  legal,
  insurance
}

/** The sets of sentences: two halves, and the sentences that were written later. */
export const sets = ["tuning", "held-back", "later"] as const
export type GoldenSet = (typeof sets)[number]

/** Returns the half of a sentence: the parity of an FNV-1a hash, so that neither order nor author decides. */
export const halfOf = (text: string): GoldenSet => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return ((hash >>> 16) ^ hash) & 1 ? "held-back" : "tuning"
}

/** A golden sentence with the decision of the current release. */
export interface Judged {
  readonly preset: string
  readonly language: Language
  readonly set: GoldenSet
  readonly text: string
  readonly expected: Labels
  readonly found: Labels
}

/** The labels of a sentence. The rules are sorted. */
export interface Labels {
  readonly intent: string
  readonly urgency: Urgency
  readonly rules: ReadonlyArray<string>
}

/** The subject of a run for an email of a new contact. */
const subjectOf = (preset: string, body: string): RunSubject => ({
  tenant: {
    tenantId: "acme",
    name: "Acme",
    domain: null,
    hipaa: false,
    locale: null,
    plan: "trial",
    capOverrides: { actions: null, ai_calls: null },
    createdAt: 0,
    archivedAt: null,
    configVersion: 1,
    config: findPreset(preset) ?? defaultConfig
  },
  message: {
    attachments: [],
    auto: null,
    body,
    channel: "email",
    flags: [],
    metadata: {},
    receivedAlias: null,
    source: "smtp",
    subject: null
  },
  contact: { company: null, name: "Jo Smith", email: "jo@customer.example", phone: null, tags: [] },
  contactIsNew: true,
  lead: null,
  leadIsNew: true,
  overtaken: false,
  repliesToday: 0,
  lastByPersonAt: null,
  modelConfigured: false,
  keywordsVersion,
  now: 0
})

/** Decides every golden sentence with its preset. */
export const judgeAll = (): ReadonlyArray<Judged> =>
  Object.entries(goldenPresets).flatMap(([preset, sentences]) => {
    const added = later[preset] ?? []
    const compiled = compileRules(findPreset(preset)?.rules ?? [])
    const time = timeFactsIn("UTC")?.(0)
    if (time === undefined) throw new Error("This platform has no time zone data for UTC.")
    return [...sentences, ...added].map((golden): Judged => {
      const [language, intent, urgency, rules, text] = golden
      const subject = subjectOf(preset, text)
      const { classification, score } = assessMessage(subject, null)
      const { matched } = evaluateRules(compiled, factsOf({ ...subject, classification, score, time }))
      return {
        preset,
        language,
        set: added.includes(golden) ? "later" : halfOf(text),
        text,
        expected: { intent, urgency, rules: rules === "" ? [] : rules.split(" ").toSorted() },
        found: {
          intent: classification?.intent ?? "other",
          urgency: classification?.urgency ?? "medium",
          rules: matched.map(({ ruleId }) => ruleId).toSorted()
        }
      }
    })
  })

/** Counts of one measure over some sentences. */
export interface Figures {
  /** Labels that were found and expected. */
  readonly correct: number
  readonly found: number
  readonly expected: number
}

const measureOf: Readonly<Record<string, (labels: Labels) => ReadonlyArray<string>>> = {
  rules: ({ rules }) => rules,
  intent: ({ intent }) => (intent === "other" ? [] : [intent]),
  emergency: ({ urgency }) => (urgency === "high" ? ["high"] : [])
}

/**
 * The measures: the matched rules, the intent (`other` counts as no label), and high urgency.
 */
export const measures = Object.keys(measureOf)

/** Counts the labels of a measure. */
export const figuresOf = (judged: ReadonlyArray<Judged>, measure: string): Figures => {
  const labelsOf = measureOf[measure] ?? (() => [])
  let [correct, found, expected] = [0, 0, 0]
  for (const one of judged) {
    const [wanted, got] = [labelsOf(one.expected), labelsOf(one.found)]
    correct += got.filter((label) => wanted.includes(label)).length
    found += got.length
    expected += wanted.length
  }
  return { correct, found, expected }
}

/** Precision and recall as whole percentages, rounded down, so that a figure never promises more than was measured. */
export const percentages = ({ correct, expected, found }: Figures): readonly [precision: number, recall: number] => [
  found === 0 ? 100 : Math.floor((100 * correct) / found),
  expected === 0 ? 100 : Math.floor((100 * correct) / expected)
]

const cell = (judged: ReadonlyArray<Judged>, measure: string): string =>
  percentages(figuresOf(judged, measure)).join(" / ")

/** Returns a Markdown table of precision / recall in percent, by preset, by language and in total. */
export const tableOf = (judged: ReadonlyArray<Judged>): string => {
  const groups: ReadonlyArray<readonly [name: string, of: (one: Judged) => boolean]> = [
    ...Object.keys(goldenPresets).map((name) => [`\`${name}\``, (one: Judged) => one.preset === name] as const),
    ...languages.map((name) => [name, (one: Judged) => one.language === name] as const),
    ["all", () => true]
  ]
  const titles = sets.flatMap((set) => measures.map((measure) => `${set}: ${measure}`))
  return [
    `| | sentences | ${titles.join(" | ")} |`,
    `| --- | ---: |${" ---: |".repeat(titles.length)}`,
    ...groups.map(([name, isIn]) => {
      const group = judged.filter(isIn)
      const inSets = sets.map((set) => group.filter((one) => one.set === set))
      const cells = inSets.flatMap((some) => measures.map((measure) => cell(some, measure)))
      return `| ${name} | ${inSets.map((some) => some.length).join(" + ")} | ${cells.join(" | ")} |`
    })
  ].join("\n")
}
