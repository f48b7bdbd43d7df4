import { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { enrolmentStates, enrolmentStops } from "@leadloom/core/internal/domain/sequence/Enrolment"
import { maxSequenceSteps, Sequence } from "@leadloom/core/internal/domain/sequence/Sequence"
import {
  defaultSimulated,
  defaultSimulatedDays,
  maxDecisions,
  maxExamined,
  maxSimulated,
  maxSimulatedDays
} from "@leadloom/core/internal/domain/simulation/Simulation"
import { queuedTriggerTypes } from "@leadloom/core/internal/domain/rule/Trigger"
import { CauseChange, triggerRunStates } from "@leadloom/core/internal/domain/run/TriggerRun"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, nextCursor, TenantPath, Time, Timestamp } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"
import { TriggerRun } from "../workspace/Pipeline.ts"
import { Enrolment, EnrolmentEntry, SequencePath } from "../workspace/Sequences.ts"

const Count = Schema.Int

/** The maximum number of contacts of one page. */
const maxPageSize = 200

/** The default number of contacts of one page. */
export const defaultPageSize = 50

const period = {
  since: Schema.optionalKey(Time).annotate({
    description: `The start of the period, at most ${maxSimulatedDays} days ago; default: ${defaultSimulatedDays} days before its end`
  }),
  until: Schema.optionalKey(Time).annotate({
    description:
      "The end of the period; default: now. Send `until` of the first page with the requests for the next pages"
  }),
  max: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxSimulated }))).annotate({
    description: `The maximum number of simulated contacts, 1 to ${maxSimulated}; default: ${defaultSimulated}`
  }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxPageSize }))).annotate({
    description: `The number of contacts per page, 1 to ${maxPageSize}; default: ${defaultPageSize}`
  }),
  cursor: Schema.optionalKey(Schema.String).annotate({
    description: "`next_cursor` of the previous page. The other fields must be those of the previous page"
  })
}

export class SimulateSequence extends Schema.Opaque<SimulateSequence>()(
  Schema.Struct({
    steps: Schema.optionalKey(Sequence.fields.steps).annotate({
      description: `The proposed steps, 1 to ${maxSequenceSteps}; default: those of the sequence`
    }),
    stop_on: Schema.optionalKey(Sequence.fields.stopOn).annotate({
      description: "The proposed conditions that stop an enrolment; default: those of the sequence"
    }),
    segment_id: Schema.optionalKey(Schema.String).annotate({
      description: "A segment (`seg_…`) whose present members enter at the start of the period, or at their creation"
    }),
    rule_id: Schema.optionalKey(Schema.String).annotate({
      description:
        "A rule of the tenant with the action `start_sequence`. Contacts enter at the messages that it matches"
    }),
    rule: Schema.optionalKey(Rule).annotate({
      description: "A proposed rule, instead of `rule_id`. It replaces the stored rule with its id"
    }),
    ...period
  }).annotate({
    identifier: "SimulateSequence",
    description:
      "What to simulate. Without `segment_id`, `rule_id` and `rule`, the contacts enter who really entered the sequence in the period"
  })
) {}

const SimulatedEnrolment = Schema.Struct({
  version: Schema.Int.annotate({ description: "The version of the sequence that the enrolment would have followed" }),
  state: Schema.Literals(enrolmentStates).annotate({ description: "The state at the end of the simulation" }),
  stop_reason: Schema.NullOr(Schema.Literals(enrolmentStops)).annotate({
    description: "Why the enrolment would have stopped; null: it would not have"
  }),
  step: Schema.NullOr(Schema.String).annotate({ description: "The next step; null: none is left" }),
  next_at: Schema.NullOr(Timestamp).annotate({ description: "The planned time of the next step; null: none is left" }),
  history: Schema.Array(EnrolmentEntry).annotate({
    description:
      "The outcomes of the steps, oldest first. `message_id` is the message that the real enrolment sent in this step; a simulation stores none"
  })
}).annotate({ identifier: "SimulatedEnrolment", description: "The enrolment that the simulation yields" })

const totals = (description: string) =>
  Schema.Struct({
    enrolled: Count.annotate({ description: "The number of enrolments" }),
    running: Count.annotate({ description: "The enrolments that are active or paused" }),
    completed: Count.annotate({ description: "The enrolments without a further step" }),
    stopped: Count.annotate({ description: "The enrolments that stopped" }),
    held_out: Count.annotate({ description: "The enrolments in the holdout group" }),
    sent: Count.annotate({ description: "The number of sent messages" }),
    refused: Count.annotate({ description: "The number of refused steps" }),
    stops: Schema.Record(Schema.String, Schema.Int).annotate({ description: "The stopped enrolments by reason" })
  }).annotate({ identifier: "SimulationTotals", description })

export class SequenceSimulation extends Schema.Opaque<SequenceSimulation>()(
  Schema.Struct({
    version: Schema.Int.annotate({ description: "The current version of the sequence" }),
    since: Timestamp.annotate({ description: "The start of the period" }),
    until: Timestamp.annotate({ description: "The end of the period" }),
    simulated_until: Timestamp.annotate({
      description: `The time that the simulation has reached: \`until\`, or an earlier time if it needs more than ${maxDecisions} decisions`
    }),
    more: Schema.Boolean.annotate({ description: "Whether more contacts enter in the period than `max`" }),
    undecided: Count.annotate({
      description:
        "With a rule: the messages whose runs lack recorded inputs or an answer of the model, so that they cannot be decided again"
    }),
    simulated: totals("The enrolments of the simulation"),
    actual: totals("The enrolments that really took place"),
    differing: Count.annotate({ description: "The number of contacts with a difference" }),
    contacts: Schema.Array(
      Schema.Struct({
        contact_id: contactId,
        at: Timestamp.annotate({ description: "The time of the enrolment" }),
        simulated: Schema.NullOr(SimulatedEnrolment).annotate({
          description:
            "The simulated enrolment; null: the contact would not have entered, or the simulation ended earlier"
        }),
        reason: Schema.NullOr(Schema.String).annotate({
          description: "Why the contact would not have entered; null: it would have"
        }),
        actual: Schema.NullOr(Enrolment).annotate({
          description: "The real enrolment, as it was at `simulated_until`; null: the contact did not enter"
        }),
        differs: Schema.Boolean.annotate({
          description:
            "Whether the two differ: in a step, an outcome, a reason or a state, or in a time by more than five minutes"
        })
      }).annotate({ identifier: "SimulatedContact", description: "A contact in a simulation" })
    ).annotate({ description: "The contacts in the order of their enrolment" }),
    next_cursor: nextCursor
  }).annotate({
    identifier: "SequenceSimulation",
    description: "What the sequence would have done, next to what really happened"
  })
) {}

export class SimulateRule extends Schema.Opaque<SimulateRule>()(
  Schema.Struct({
    rule_id: Schema.optionalKey(Schema.String).annotate({
      description:
        "A rule of the tenant with another trigger than `message_received`. It is simulated as if it were enabled"
    }),
    rule: Schema.optionalKey(Rule).annotate({
      description: "A proposed rule, instead of `rule_id`. It replaces the stored rule with its id"
    }),
    ...period,
    max: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxSimulated }))).annotate({
      description: `The maximum number of causes, 1 to ${maxSimulated}; default: ${defaultSimulated}. The oldest ones of the period count`
    }),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxPageSize }))).annotate({
      description: `The number of causes per page, 1 to ${maxPageSize}; default: ${defaultPageSize}`
    })
  }).annotate({
    identifier: "SimulateRule",
    description: "The rule to simulate: either `rule_id` or `rule`"
  })
) {}

const SimulatedAction = Schema.Struct({
  type: Schema.String.annotate({ description: "The type of the action" }),
  outcome: Schema.Literals(["done", "skipped", "failed"]).annotate({
    description: "`skipped`: the action would not have been carried out"
  }),
  reason: Schema.String.annotate({ description: "The effect of the action, or the reason why it would be skipped" }),
  enrolment: Schema.NullOr(SimulatedEnrolment).annotate({
    description:
      "`start_sequence`, `send_template`: the simulated enrolment, with the times of its messages and the reasons of refused ones; null: another action, or no enrolment"
  })
}).annotate({ identifier: "SimulatedAction", description: "An action that a rule would have carried out" })

const runCounts = (description: string) =>
  Schema.Struct({
    causes: Count.annotate({ description: "The number of causes with a run" }),
    waiting: Count.annotate({ description: "The runs that still wait at the end" }),
    ran: Count.annotate({ description: "The runs that carried out their actions" }),
    not_matched: Count.annotate({ description: "The runs whose condition was false" }),
    prevented: Count.annotate({ description: "The runs whose cause no longer applied" }),
    actions: Schema.Record(Schema.String, Schema.Int).annotate({
      description: "The number of actions that were carried out, by type"
    })
  }).annotate({ identifier: "RuleSimulationTotals", description })

export class RuleSimulation extends Schema.Opaque<RuleSimulation>()(
  Schema.Struct({
    rule_id: Schema.String.annotate({ description: "The id of the rule" }),
    trigger: Schema.Literals(queuedTriggerTypes).annotate({ description: "The trigger of the rule" }),
    since: Timestamp.annotate({ description: "The start of the period" }),
    until: Timestamp.annotate({ description: "The end of the period" }),
    simulated_until: Timestamp.annotate({
      description: `The time that the simulation has reached: \`until\`, or an earlier time if it needs more than ${maxDecisions} decisions`
    }),
    notes: Schema.Array(Schema.String).annotate({
      description: "What the simulation cannot know about this rule, because no history of it is stored"
    }),
    more: Schema.Boolean.annotate({
      description: `Whether the period has more causes than \`max\`, or more than the ${maxExamined} records that are examined`
    }),
    simulated: runCounts("The runs of the simulation"),
    actual: runCounts("The runs that really took place"),
    differing: Count.annotate({ description: "The number of causes with a difference" }),
    causes: Schema.Array(
      Schema.Struct({
        contact_id: contactId,
        lead_id: Schema.NullOr(Schema.String).annotate({
          description: "The lead that changed; null: another cause"
        }),
        message_id: Schema.NullOr(Schema.String).annotate({
          description: "The message that is the cause; null: another cause"
        }),
        task_id: Schema.NullOr(Schema.String).annotate({ description: "The task that is due; null: another cause" }),
        change: Schema.NullOr(CauseChange).annotate({
          description: "The change that is the cause; null: another cause"
        }),
        cause_at: Timestamp.annotate({ description: "The time from which the trigger counts" }),
        run_at: Timestamp.annotate({ description: "The time at which the rule is due" }),
        simulated: Schema.NullOr(
          Schema.Struct({
            state: Schema.Literals(triggerRunStates).annotate({
              description: "The state at the end of the simulation, as of a trigger run"
            }),
            at: Timestamp.annotate({ description: "The time of the decision; while it waits, the time of the cause" }),
            lead_id: Schema.NullOr(Schema.String).annotate({ description: "The lead of the run; null: none" }),
            reason: Schema.NullOr(Schema.String).annotate({
              description: "Why the rule matched, did not match or was prevented; null: it waits"
            }),
            actions: Schema.Array(SimulatedAction).annotate({ description: "The actions; empty unless it `ran`" })
          }).annotate({ identifier: "SimulatedTriggerRun", description: "The run that the simulation yields" })
        ).annotate({ description: "The simulated run; null: the simulation ended earlier" }),
        actual: Schema.NullOr(TriggerRun).annotate({
          description: "The real run, as it was at `simulated_until`; null: the rule had none for this cause"
        }),
        differs: Schema.Boolean.annotate({
          description: "Whether the two differ in their state, the reason, or the actions with their outcomes"
        })
      }).annotate({ identifier: "SimulatedCause", description: "A cause in a simulation of a rule" })
    ).annotate({ description: "The causes in the order of time" }),
    next_cursor: nextCursor
  }).annotate({
    identifier: "RuleSimulation",
    description: "What the rule would have done, next to what really happened"
  })
) {}

export const SimulationsGroup = HttpApiGroup.make("simulations")
  .add(
    HttpApiEndpoint.post("sequence", "/tenants/:tenant_id/sequences/:sequence_id/simulations", {
      params: SequencePath,
      headers: IdempotencyKey,
      payload: SimulateSequence,
      success: SequenceSimulation,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Simulate a sequence with the contacts and messages of the past")
      .annotate(
        OpenApi.Description,
        "Contacts answer as they really did. A simulated message changes nothing but the limits of messages. Pauses and limits of the sequence, and failures of the server, are not simulated. Stores and sends nothing, and counts no use. Each page repeats the simulation."
      )
      .annotate(Gate, gate("simulations.sequence", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("rule", "/config/:tenant_id/rule-simulations", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: SimulateRule,
      success: RuleSimulation,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Simulate a rule with the contacts and events of the past")
      .annotate(
        OpenApi.Description,
        "For rules with another trigger than `message_received`; a back-test decides about messages. Contacts act as they really did, and a simulated action changes nothing. The causes are those of the period, also from before the rule was saved. Stores and sends nothing, and counts no use. Each page repeats the simulation."
      )
      .annotate(Gate, gate("simulations.rule", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Simulations", description: "What a sequence or a rule would have done in the past" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
