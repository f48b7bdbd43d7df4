import { Effect } from "effect"
import type { RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { Activities, Contacts } from "../../port/repository/contact/Contacts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Notes } from "../../port/repository/conversation/Notes.ts"
import { ReadMarks } from "../../port/repository/conversation/ReadMarks.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Teams } from "../../port/repository/tenant/Teams.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { WebhookCalls } from "../../port/repository/webhook/WebhookCalls.ts"
import { performActions } from "../action/PerformActions.ts"
import { stopSequences } from "../action/SequenceActions.ts"
import { ChangesAreCauses } from "../cause/StoreChanges.ts"

const nothing = () => Effect.void

/** Runs the code of actions without its writes. The ports of everything that actions write do nothing. */
const withoutWrites = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const jobs = { ...(yield* Jobs), put: nothing, renew: nothing, hurry: nothing }
    return yield* effect.pipe(
      Effect.provideService(Contacts, Contacts.of({ ...(yield* Contacts), update: nothing })),
      Effect.provideService(Activities, Activities.of({ ...(yield* Activities), insert: nothing })),
      Effect.provideService(Conversations, Conversations.of({ ...(yield* Conversations), setInboxState: nothing })),
      Effect.provideService(ReadMarks, ReadMarks.of({ ...(yield* ReadMarks), read: () => Effect.succeed(0) })),
      Effect.provideService(Notes, Notes.of({ ...(yield* Notes), insert: nothing })),
      Effect.provideService(Tasks, Tasks.of({ ...(yield* Tasks), insert: nothing })),
      Effect.provideService(Teams, Teams.of({ ...(yield* Teams), update: nothing })),
      Effect.provideService(Enrolments, Enrolments.of({ ...(yield* Enrolments), replace: nothing })),
      Effect.provideService(Events, Events.of({ ...(yield* Events), append: nothing })),
      Effect.provideService(Jobs, Jobs.of(jobs)),
      Effect.provideService(WebhookCalls, WebhookCalls.of({ ...(yield* WebhookCalls), put: nothing })),
      Effect.provideService(ChangesAreCauses, false)
    )
  })

/**
 * Returns the outcomes that actions of a rule would have, with the code that carries them out. Stores and sends nothing.
 * The outcomes of `start_sequence` and `send_template` depend on the simulation of their sequences, so they are replaced
 * later.
 */
export const previewActions = (target: ActionTarget, wanted: ReadonlyArray<RequestedAction>) =>
  withoutWrites(
    Effect.gen(function* () {
      const { actions } = yield* performActions(target, wanted)
      const previewed: Array<RunAction> = []
      for (const [position, before] of actions.entries()) {
        const action = wanted[position]?.action
        previewed.push(
          action?.type === "stop_sequence" ? { ...before, ...(yield* stopSequences(target, action)) } : before
        )
      }
      return previewed
    })
  )
