import type { PipelineRun } from "@leadloom/client"
import type { Terminal } from "../Terminal.ts"
import type { Outcome } from "./Feed.ts"

type Paint = Terminal["style"]

/** Short names for long ids, numbered in order of appearance: `lead 1`, `thread 2`. */
export interface Names {
  readonly of: (noun: "lead" | "thread", id: string) => string
}

/** Creates an empty set of names. */
export const newNames = (): Names => {
  const known = { lead: new Map<string, number>(), thread: new Map<string, number>() }
  return {
    of: (noun, id) => {
      const number = known[noun].get(id) ?? known[noun].size + 1
      known[noun].set(id, number)
      return `${noun} ${number}`
    }
  }
}

const meanings: Readonly<Record<string, string>> = {
  own: "our own mail: stored in the conversation, never scored or answered",
  auto: "an automatic reply: stored and labelled, never answered",
  bounce: "a bounce: the address is marked undeliverable",
  quarantined: "quarantined: a person has to review it",
  failed: "import failed"
}

const indent = "       "
const labelWidth = 11
const label = (paint: Paint, name: string, text: string): string =>
  `${indent}${paint("dim", name.padEnd(labelWidth))}${text}\n`

const tierColours = { hot: "red", warm: "yellow", cold: "cyan" } as const
const badge = (paint: Paint, tier: string | null | undefined, score?: number): string => {
  if (tier === null || tier === undefined) return ""
  const colour = tier === "hot" || tier === "warm" ? tierColours[tier] : tierColours.cold
  return paint(colour, score === undefined ? tier : `${tier} ${score}`)
}

const factors = (run: PipelineRun): string =>
  (run.score?.factors ?? [])
    .filter(({ points }) => points !== 0)
    .map(({ name, points }) => `${name} ${points > 0 ? "+" : ""}${points}`)
    .join(", ")

/** The maximum line width of the printed outcomes, in characters. */
const lineWidth = 110

/** Wraps a text with a hanging indent. */
const wrapped = (text: string): string => {
  const lines: Array<string> = [""]
  for (const word of text.split(/\s+/u).filter((part) => part !== "")) {
    const last = lines.at(-1) ?? ""
    if (last !== "" && last.length + word.length + 1 > lineWidth - indent.length - labelWidth) lines.push(word)
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
  }
  return lines.join(`\n${indent}${" ".repeat(labelWidth)}`)
}

const draft = (paint: Paint, run: PipelineRun): string => {
  const step = run.steps.find((one) => one.step === "reply")
  if (run.reply === null) return step === undefined ? "" : label(paint, "no reply", step.reason)
  return label(paint, run.reply.requires_approval ? "draft" : "reply", wrapped(run.reply.text))
}

const actionWords = ({ type, reason }: PipelineRun["actions"][number]): string => {
  switch (type) {
    case "tag":
      return reason
    case "create_task":
      return `task "${reason}"`
    case "transition":
      return `lead from ${reason}`
    default:
      return `${type} ${reason}`
  }
}

const ofRun = (paint: Paint, run: PipelineRun): string => {
  const { classification, matched_rules: rules, actions } = run
  const done = actions.filter((action) => action.outcome === "done" && !action.reason.startsWith("see "))
  return [
    classification === null
      ? ""
      : label(
          paint,
          "classified",
          `${classification.intent}, urgency ${classification.urgency}, ${classification.sentiment}`
        ),
    run.score === null ? "" : label(paint, "score", wrapped(`${run.score.score} = ${factors(run)}`)),
    rules.length === 0 ? "" : label(paint, "rules", rules.map((rule) => rule.name).join(" · ")),
    done.length === 0 ? "" : label(paint, "actions", wrapped(done.map(actionWords).join(" · "))),
    draft(paint, run)
  ].join("")
}

const channelOf = ({ arrival }: Outcome): string => {
  if (arrival.kind === "mail") return "email"
  return arrival.event.content?.channel === "sms" ? "sms" : "web form"
}

const aboutOf = ({ arrival, message }: Outcome): string => {
  if (arrival.kind === "event") return arrival.event.content?.body ?? ""
  return message === null
    ? arrival.file
    : `${message.subject ?? "(no subject)"}: ${message.body}`.replaceAll(/\s+/gu, " ")
}

const clip = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`)

const placeOf = (outcome: Outcome, names: Names): string => {
  const leadId = outcome.result?.lead_id ?? outcome.run?.lead_id ?? null
  const threadId = outcome.result?.thread_id ?? null
  return [
    ...(leadId === null ? [] : [names.of("lead", leadId)]),
    ...(threadId === null ? [] : [names.of("thread", threadId)])
  ].join(", ")
}

/** Formats the part of an outcome that differs between kinds of outcomes. */
const fateOf = (paint: Paint, outcome: Outcome): string => {
  const { result, run, isCopy } = outcome
  if (isCopy) return label(paint, "copy", "duplicate: not stored or processed again")
  const meaning = run === null && result !== null ? meanings[result.outcome] : undefined
  if (meaning !== undefined) return label(paint, result?.outcome ?? "", meaning)
  if (run !== null) return ofRun(paint, run)
  return label(paint, "pipeline", "not finished yet")
}

/** Formats one sample message and its outcome in a few lines. */
export const renderOutcome = (paint: Paint, number: number, outcome: Outcome, names: Names): string => {
  const { contact, run, isCopy } = outcome
  const who = contact?.name ?? contact?.email ?? contact?.phone ?? "unknown sender"
  const tier = isCopy ? "" : badge(paint, run?.score?.tier, run?.score?.score)
  const head = [
    `${String(number).padStart(3)}  ${paint("dim", channelOf(outcome).padEnd(8))}`,
    paint("bold", who),
    tier
  ]
  const place = placeOf(outcome, names)
  return `${head.filter((part) => part !== "").join("  ")}\n${indent}${paint("dim", clip(aboutOf(outcome), lineWidth - indent.length))}\n${
    place === "" ? "" : label(paint, "belongs to", place)
  }${fateOf(paint, outcome)}\n`
}
