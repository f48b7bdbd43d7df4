import { describe, expect, it } from "vitest"
import { type Attempt, type DeliveryRow, maxStoredAttempts } from "../../../src/domain/webhook/Delivery.ts"
import {
  type DeliveryEvent,
  type DeliveryState,
  slowMillis,
  stateOf,
  transition,
  untried
} from "../../../src/domain/webhook/DeliveryState.ts"
import { maxConsecutiveFailures, probeWait, retryWaits } from "../../../src/domain/webhook/Schedule.ts"
import { never, type Subscription } from "../../../src/domain/webhook/Subscription.ts"

const now = 1_767_225_600_000

const active: Subscription = {
  tenantId: "acme",
  webhookId: "whk_00000000000000000000000000",
  url: "https://receiver.example/hooks",
  description: null,
  eventTypes: [],
  maxInFlight: 1,
  status: "active",
  inactiveReason: null,
  secret: "sealed",
  formerSecret: null,
  formerSecretUntil: null,
  consecutiveFailures: 0,
  ailing: false,
  position: 10,
  retryAt: never,
  nextAt: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  createdAt: 0,
  updatedAt: 0
}
const failing: Subscription = { ...active, consecutiveFailures: 3, ailing: true }
const paused: Subscription = {
  ...active,
  status: "paused",
  inactiveReason: "failures",
  consecutiveFailures: maxConsecutiveFailures,
  ailing: true,
  nextAt: now
}
const stopped: Subscription = { ...active, status: "paused", inactiveReason: "person", nextAt: never }
const disabled: Subscription = { ...active, status: "disabled", inactiveReason: "gone", nextAt: never }

/** No jitter: the middle of its range. */
const terms = { now, mode: "durable", chance: 0.5 } as const

const delivered: Attempt = { at: now, status: 204, millis: 100, error: null, response: null, retryAfterMillis: null }
const refused: Attempt = { ...delivered, status: 500, error: "The receiver responded with status 500.", response: "" }
const ended = now + 100

/** The change of a paused subscription that is active again. */
const healthy = { status: "active", inactiveReason: null, consecutiveFailures: 0, ailing: false, nextAt: 0 } as const

/** The change of a healthy subscription by a failed attempt. */
const failedOnce = { consecutiveFailures: 1, ailing: true, lastFailureAt: ended }

const attempted = (attempt: Attempt, row: DeliveryRow | null = null, byHand = false): DeliveryEvent => ({
  _tag: "Attempted",
  sequence: 11,
  attempt,
  row,
  byHand
})

const rowWith = (change: Partial<DeliveryRow>): DeliveryRow => ({ ...untried(active, 11), ...change })

describe("the state of a delivery", () => {
  const table: ReadonlyArray<readonly [title: string, subscription: Subscription, state: DeliveryState]> = [
    ["active", active, { _tag: "Delivering" }],
    ["active with a later retry", { ...active, retryAt: now + 1 }, { _tag: "Delivering" }],
    ["active with a due retry", { ...active, retryAt: now }, { _tag: "Retrying" }],
    ["blocked by a failed event", { ...active, nextAt: now + 1, retryAt: now }, { _tag: "Waiting", until: now + 1 }],
    ["paused after failures, probe due", paused, { _tag: "Probing" }],
    ["paused after failures, probe later", { ...paused, nextAt: now + 1 }, { _tag: "Paused", until: now + 1 }],
    ["paused by a person", { ...stopped, nextAt: 0 }, { _tag: "Stopped" }],
    ["disabled", { ...disabled, nextAt: 0 }, { _tag: "Stopped" }],
    ["disabled by a person", { ...disabled, inactiveReason: "person", nextAt: 0 }, { _tag: "Stopped" }]
  ]
  it.each(table)("%s", (_, subscription, state) => {
    expect(stateOf(subscription, now)).toEqual(state)
  })
})

interface Expected {
  readonly subscription?: Partial<Subscription>
  readonly row?: Partial<DeliveryRow>
  readonly logged?: boolean
  readonly pending?: "restart" | "giveUp"
  /** Default: the delivery has a row. */
  readonly findsRetry?: boolean
}

const [firstWait = 0, secondWait = 0, thirdWait = 0] = retryWaits

describe("a transition", () => {
  const table: ReadonlyArray<
    readonly [title: string, before: Subscription, event: DeliveryEvent, expected: Expected, mode?: "once"]
  > = [
    ["that passed moves the position", active, { _tag: "Passed", position: 12 }, { subscription: { position: 12 } }],
    ["that passed never moves it back", active, { _tag: "Passed", position: 9 }, {}],
    [
      "delivered at once is logged and resets the failures",
      failing,
      attempted(delivered),
      { subscription: { consecutiveFailures: 0, ailing: false, lastSuccessAt: ended }, logged: true }
    ],
    [
      "delivered slowly marks the receiver as ailing",
      active,
      attempted({ ...delivered, millis: slowMillis + 1 }),
      { subscription: { ailing: true, lastSuccessAt: now + slowMillis + 1 }, logged: true }
    ],
    [
      "delivered at a retry changes its row",
      failing,
      attempted(delivered, rowWith({ tries: 2 })),
      {
        subscription: { consecutiveFailures: 0, ailing: false, lastSuccessAt: ended },
        row: { status: "delivered", dueAt: never, tries: 2 }
      }
    ],
    [
      "that fails first is retried after the first wait and blocks the others",
      active,
      attempted(refused),
      {
        subscription: { ...failedOnce, nextAt: ended + firstWait },
        row: { status: "pending", tries: 1, dueAt: ended + firstWait }
      }
    ],
    [
      "that fails twice still blocks the others",
      { ...failing, consecutiveFailures: 1 },
      attempted(refused, rowWith({ tries: 1 })),
      {
        subscription: { consecutiveFailures: 2, lastFailureAt: ended, nextAt: ended + secondWait },
        row: { tries: 2, dueAt: ended + secondWait }
      }
    ],
    [
      "that fails a third time is set aside",
      { ...failing, consecutiveFailures: 2 },
      attempted(refused, rowWith({ tries: 2 })),
      {
        subscription: { consecutiveFailures: 3, lastFailureAt: ended },
        row: { tries: 3, dueAt: ended + thirdWait }
      }
    ],
    [
      "that fails blocks nothing with several requests in flight",
      { ...active, maxInFlight: 2 },
      attempted(refused),
      {
        subscription: { ...failedOnce },
        row: { tries: 1, dueAt: ended + firstWait }
      }
    ],
    [
      "that fails after all waits is given up",
      { ...failing, consecutiveFailures: 6 },
      attempted(refused, rowWith({ tries: retryWaits.length })),
      {
        subscription: { consecutiveFailures: 7, lastFailureAt: ended },
        row: { status: "failed", tries: retryWaits.length + 1, dueAt: never }
      }
    ],
    [
      "that fails for the tenth time in a row pauses the subscription",
      { ...failing, consecutiveFailures: maxConsecutiveFailures - 1 },
      attempted(refused, rowWith({ tries: 3 })),
      {
        subscription: {
          status: "paused",
          inactiveReason: "failures",
          consecutiveFailures: maxConsecutiveFailures,
          lastFailureAt: ended,
          nextAt: ended + probeWait
        },
        row: { tries: 4, dueAt: ended + (retryWaits[3] ?? 0) }
      }
    ],
    [
      "that fails as a probe does not count for the schedule",
      paused,
      attempted(refused, rowWith({ tries: 3, dueAt: now })),
      {
        subscription: {
          consecutiveFailures: maxConsecutiveFailures + 1,
          lastFailureAt: ended,
          nextAt: ended + probeWait
        },
        row: { tries: 3, dueAt: now }
      }
    ],
    [
      "delivered as a probe activates the subscription and restarts its open deliveries",
      paused,
      attempted(delivered, rowWith({ tries: 3, dueAt: now })),
      {
        subscription: {
          ...healthy,
          lastSuccessAt: ended
        },
        row: { status: "delivered", tries: 3, dueAt: never },
        pending: "restart"
      }
    ],
    [
      "answered with 410 disables the subscription and gives up its open deliveries",
      active,
      attempted({ ...refused, status: 410 }),
      {
        subscription: {
          status: "disabled",
          inactiveReason: "gone",
          ...failedOnce,
          nextAt: never
        },
        row: { status: "failed", dueAt: never },
        pending: "giveUp"
      }
    ],
    [
      "that fails while disabled is given up",
      disabled,
      attempted(refused, rowWith({ tries: 1, dueAt: now })),
      {
        subscription: { ...failedOnce },
        row: { status: "failed", tries: 1, dueAt: never }
      }
    ],
    [
      "that fails by hand does not count for the schedule and blocks until its due time",
      active,
      attempted(refused, rowWith({ tries: 1, dueAt: now + 5 }), true),
      {
        subscription: { ...failedOnce, nextAt: now + 5 },
        row: { tries: 1, dueAt: now + 5 }
      }
    ],
    [
      "that was delivered before stays delivered when a repetition by hand fails",
      active,
      attempted(refused, rowWith({ status: "delivered", dueAt: never }), true),
      {
        subscription: { ...failedOnce },
        row: { status: "delivered", dueAt: never }
      }
    ],
    [
      "delivered by hand does not activate a subscription that a person paused",
      stopped,
      attempted(delivered, rowWith({ tries: 1 }), true),
      {
        subscription: { lastSuccessAt: ended },
        row: { status: "delivered", tries: 1, dueAt: never }
      }
    ],
    [
      "that fails with a single attempt is given up",
      active,
      attempted(refused),
      {
        subscription: { ...failedOnce },
        row: { status: "failed", dueAt: never }
      },
      "once"
    ],
    [
      "missing for a probe postpones the probe",
      paused,
      { _tag: "ProbedNothing" },
      { subscription: { nextAt: now + probeWait } }
    ],
    ["recovered makes the retries known", active, { _tag: "Recovered" }, { findsRetry: true }],
    [
      "activating a paused subscription keeps its position",
      paused,
      { _tag: "Activated", last: 40 },
      {
        subscription: { ...healthy },
        pending: "restart",
        findsRetry: true
      }
    ],
    [
      "activating a paused subscription with single attempts skips the missed events",
      stopped,
      { _tag: "Activated", last: 40 },
      {
        subscription: { status: "active", inactiveReason: null, nextAt: 0, position: 40 },
        pending: "restart",
        findsRetry: true
      },
      "once"
    ],
    [
      "activating a disabled subscription skips the missed events",
      disabled,
      { _tag: "Activated", last: 40 },
      {
        subscription: { status: "active", inactiveReason: null, nextAt: 0, position: 40 },
        pending: "restart",
        findsRetry: true
      }
    ],
    ["activating an active subscription changes nothing", active, { _tag: "Activated", last: 40 }, {}],
    [
      "pausing by a person ends the probes",
      paused,
      { _tag: "Stopped", status: "paused" },
      { subscription: { inactiveReason: "person", nextAt: never }, findsRetry: true }
    ],
    [
      "disabling by a person gives up the open deliveries",
      active,
      { _tag: "Stopped", status: "disabled" },
      {
        subscription: { status: "disabled", inactiveReason: "person", nextAt: never },
        pending: "giveUp",
        findsRetry: true
      }
    ]
  ]
  for (const [title, before, event, expected, mode = "durable"] of table) {
    it(`an event ${title}`, () => {
      const after = transition(before, [event], { ...terms, mode })
      expect(after.subscription).toEqual({ ...before, ...expected.subscription })
      expect(after.pending).toBe(expected.pending ?? null)
      expect(after.findsRetry).toBe(expected.findsRetry ?? expected.row !== undefined)
      expect(after.log).toEqual(
        expected.logged === true ? [{ sequence: 11, at: now, millis: after.log[0]?.millis, status: 204 }] : []
      )
      const attempts = event._tag === "Attempted" ? after.rows.map((row) => row.attempts) : []
      expect(after.rows).toEqual(
        expected.row === undefined
          ? []
          : [{ ...untried(before, 11), attempts: attempts[0], updatedAt: ended, ...expected.row }]
      )
    })
  }
})

describe("several events", () => {
  const at = (sequence: number, attempt: Attempt): DeliveryEvent => ({
    _tag: "Attempted",
    sequence,
    attempt,
    row: null,
    byHand: false
  })

  it("are applied in their order", () => {
    const events = [{ _tag: "Passed", position: 13 } as const, at(11, delivered), at(12, refused), at(13, delivered)]
    const after = transition({ ...active, maxInFlight: 3 }, events, terms)
    expect(after.log.map(({ sequence }) => sequence)).toEqual([11, 13])
    expect(after.rows.map(({ sequence, status }) => [sequence, status])).toEqual([[12, "pending"]])
    expect(after.subscription).toMatchObject({
      position: 13,
      consecutiveFailures: 0,
      ailing: false,
      lastFailureAt: ended
    })
  })

  it("pause and activate the subscription without a restart of its deliveries", () => {
    const before = { ...failing, maxInFlight: 2, consecutiveFailures: maxConsecutiveFailures - 1 }
    const after = transition(before, [at(11, refused), at(12, delivered)], terms)
    expect(after.subscription).toMatchObject({ status: "active", inactiveReason: null, consecutiveFailures: 0 })
    expect(after.pending).toBeNull()
  })

  it("keep the newest attempts of a delivery", () => {
    let row = untried(active, 11)
    for (let time = 0; time < maxStoredAttempts + 5; time++) {
      const attempt = { ...refused, at: time }
      const { rows } = transition(stopped, [{ _tag: "Attempted", sequence: 11, attempt, row, byHand: true }], terms)
      row = rows[0] ?? row
    }
    expect(row.attempts.map((attempt) => attempt.at)).toEqual(
      Array.from({ length: maxStoredAttempts }, (_, index) => index + 5)
    )
  })

  it("find the retries again when one is due", () => {
    expect(transition({ ...active, retryAt: now }, [], terms).findsRetry).toBe(true)
    expect(transition({ ...active, retryAt: now + 1 }, [], terms).findsRetry).toBe(false)
  })
})
