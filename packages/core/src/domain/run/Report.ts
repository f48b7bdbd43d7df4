import type { ContactId, MessageId, SignalId } from "../Id.ts"

/**
 * The fate of a reply: not written, held for a person, released to be sent automatically, or blocked by a guardrail.
 */
export const replyFates = ["none", "held", "released", "blocked"] as const
export type ReplyFate = (typeof replyFates)[number]

/** The values that a back-test compares: the result of one configuration for one message. */
export interface Outcome {
  /** Null without a classification. */
  readonly intent: string | null
  readonly tier: string
  readonly rules: ReadonlyArray<{ readonly ruleId: string; readonly name: string }>
  /**
   * The requested actions in order. `what` describes an action in one text. It is empty for an action that requests a
   * reply.
   */
  readonly actions: ReadonlyArray<{ readonly type: string; readonly what: string }>
  readonly reply: ReplyFate
  /** The text of the reply. Null without a reply. */
  readonly replyText: string | null
}

/** A message whose result changes. */
export interface Example {
  readonly signalId: SignalId
  readonly messageId: MessageId
  readonly contactId: ContactId
  /** The start of the message's text. */
  readonly excerpt: string
}

/** A change of a value from `before` to `after`, and the number of messages with this change. */
export interface Move {
  readonly before: string | null
  readonly after: string | null
  readonly count: number
  readonly examples: ReadonlyArray<Example>
}

/** How often a rule or action occurs under both configurations. */
export interface Tally {
  readonly before: number
  readonly after: number
  /** The number of messages in which it occurs only after the change (`gained`), or only before it (`lost`). */
  readonly gained: number
  readonly lost: number
  readonly examples: ReadonlyArray<Example>
}

/** The effects of a configuration change on past messages. Each list starts with the most frequent change. */
export interface BacktestReport {
  /** The number of messages that were decided again. */
  readonly examined: number
  /** The number of messages with any change. */
  readonly changed: number
  readonly intents: ReadonlyArray<Move>
  readonly tiers: ReadonlyArray<Move>
  readonly rules: ReadonlyArray<Tally & { readonly ruleId: string; readonly name: string }>
  /** `altered` counts the messages with the same number of actions of the type, but with different content. */
  readonly actions: ReadonlyArray<Tally & { readonly type: string; readonly altered: number }>
  /** The changes of the fate of replies. */
  readonly replies: ReadonlyArray<Move>
  /** Replies whose fate is the same and whose text is different. */
  readonly rewritten: { readonly count: number; readonly examples: ReadonlyArray<Example> }
}

interface Sample {
  count: number
  readonly examples: Array<Example>
}

interface Tallied extends Sample {
  name: string
  before: number
  after: number
  gained: number
  lost: number
  altered: number
}

const add = (sample: Sample, example: Example, examplesKept: number): void => {
  sample.count++
  if (sample.examples.length < examplesKept) sample.examples.push(example)
}

const byCountDescending = (one: Sample, other: Sample): number => other.count - one.count

const textsByType = (actions: Outcome["actions"]): ReadonlyMap<string, ReadonlyArray<string>> => {
  const texts = new Map<string, Array<string>>()
  for (const { type, what } of actions) texts.set(type, [...(texts.get(type) ?? []), what])
  return texts
}

const sameRules = (one: Outcome, other: Outcome): boolean =>
  one.rules.length === other.rules.length && one.rules.every(({ ruleId }, at) => ruleId === other.rules[at]?.ruleId)

const sameActions = (one: Outcome, other: Outcome): boolean =>
  one.actions.length === other.actions.length &&
  one.actions.every(({ type, what }, at) => type === other.actions[at]?.type && what === other.actions[at]?.what)

/** Creates a collector that counts changes of one kind by their old and new value. */
const makeMoves = (examplesKept: number) => {
  const moves = new Map<string, Sample & { readonly before: string | null; readonly after: string | null }>()
  return {
    note: (before: string | null, after: string | null, example: Example): boolean => {
      if (before === after) return false
      const key = JSON.stringify([before, after])
      const move = moves.get(key) ?? { before, after, count: 0, examples: [] }
      moves.set(key, move)
      add(move, example, examplesKept)
      return true
    },
    list: (): ReadonlyArray<Move> => [...moves.values()].toSorted(byCountDescending)
  }
}

/**
 * How often a rule or action occurs in one message, before and after the change. `altered` marks different content with
 * an equal count.
 */
interface Counted {
  readonly before: number
  readonly after: number
  readonly altered: boolean
}

/** Creates a collector that counts the occurrences of one kind by their name. */
const makeTallies = (examplesKept: number) => {
  const tallies = new Map<string, Tallied>()
  const tallyOf = (key: string, name: string): Tallied => {
    const known = tallies.get(key) ?? {
      name,
      before: 0,
      after: 0,
      gained: 0,
      lost: 0,
      altered: 0,
      count: 0,
      examples: []
    }
    tallies.set(key, known)
    known.name = name
    return known
  }
  return {
    /** Counts occurrences that are equal on both sides. */
    keep: (key: string, name: string, times: number): void => {
      const tally = tallyOf(key, name)
      tally.before += times
      tally.after += times
    },
    note: (key: string, name: string, { after, altered, before }: Counted, example: Example): void => {
      const tally = tallyOf(key, name)
      tally.before += before
      tally.after += after
      if (before === after && !altered) return
      if (after > before) tally.gained++
      else if (before > after) tally.lost++
      else tally.altered++
      add(tally, example, examplesKept)
    },
    list: (): ReadonlyArray<Tally & { readonly key: string; readonly name: string; readonly altered: number }> =>
      [...tallies.entries()]
        .toSorted(([, one], [, other]) => byCountDescending(one, other))
        .map(([key, { count: _, ...tally }]) => ({ key, ...tally }))
  }
}

/**
 * Creates a collector that compares two configurations message by message. It stores counts and a few examples, but no
 * messages. The report lists the rules in `known` even when they never match.
 */
export const makeReport = (examplesKept: number, known: Outcome["rules"]) => {
  const [intents, tiers, replies] = [makeMoves(examplesKept), makeMoves(examplesKept), makeMoves(examplesKept)]
  const [rules, actions] = [makeTallies(examplesKept), makeTallies(examplesKept)]
  const rewritten: Sample = { count: 0, examples: [] }
  let [examined, changed] = [0, 0]
  for (const { name, ruleId } of known) rules.keep(ruleId, name, 0)

  const noteRules = (before: Outcome, after: Outcome, example: Example): boolean => {
    if (sameRules(before, after)) {
      for (const { name, ruleId } of after.rules) rules.keep(ruleId, name, 1)
      return false
    }
    const [had, has] = [before, after].map((one) => new Set(one.rules.map(({ ruleId }) => ruleId)))
    const times = (ids: ReadonlySet<string> | undefined, id: string): number => (ids?.has(id) === true ? 1 : 0)
    for (const [id, name] of new Map([...before.rules, ...after.rules].map((rule) => [rule.ruleId, rule.name])))
      rules.note(id, name, { before: times(had, id), after: times(has, id), altered: false }, example)
    return true
  }

  const noteActions = (before: Outcome, after: Outcome, example: Example): boolean => {
    if (sameActions(before, after)) {
      for (const { type } of after.actions) actions.keep(type, type, 1)
      return false
    }
    const [had, has] = [textsByType(before.actions), textsByType(after.actions)]
    for (const type of new Set([...had.keys(), ...has.keys()])) {
      const [old, now] = [had.get(type) ?? [], has.get(type) ?? []]
      const altered = old.some((what, at) => what !== now[at])
      actions.note(type, type, { before: old.length, after: now.length, altered }, example)
    }
    return true
  }

  const noteText = (before: Outcome, after: Outcome, example: Example): boolean => {
    if (before.reply !== after.reply || before.replyText === after.replyText) return false
    add(rewritten, example, examplesKept)
    return true
  }

  return {
    note: (before: Outcome, after: Outcome, example: Example): void => {
      examined++
      const differs = [
        intents.note(before.intent, after.intent, example),
        tiers.note(before.tier, after.tier, example),
        noteRules(before, after, example),
        noteActions(before, after, example),
        replies.note(before.reply, after.reply, example),
        noteText(before, after, example)
      ]
      if (differs.includes(true)) changed++
    },
    report: (): BacktestReport => ({
      examined,
      changed,
      intents: intents.list(),
      tiers: tiers.list(),
      rules: rules.list().map(({ altered: _, key, ...tally }) => ({ ruleId: key, ...tally })),
      actions: actions.list().map(({ key, name: _, ...tally }) => ({ type: key, ...tally })),
      replies: replies.list(),
      rewritten
    })
  }
}
