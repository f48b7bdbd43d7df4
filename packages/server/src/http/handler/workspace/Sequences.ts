import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { enrolmentToJson, sequenceChangeOf, sequenceToJson } from "@leadloom/api/internal/workspace/Sequences"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { defaultSequenceLimits, type SequenceCounts } from "@leadloom/core/internal/domain/sequence/SequenceLimits"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import {
  listEnrolments,
  pauseEnrolment,
  readEnrolment,
  resumeEnrolment,
  skipStep,
  stopEnrolment
} from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { pauseSequence, resumeSequence } from "@leadloom/core/internal/workflow/sequence/PauseSequence"
import { previewSequence } from "@leadloom/core/internal/workflow/sequence/PreviewSequence"
import {
  createSequence,
  deleteSequence,
  listSequences,
  readSequence,
  updateSequence
} from "@leadloom/core/internal/workflow/sequence/Sequences"
import { type GroupNumbers, readSequenceStatistics } from "@leadloom/core/internal/workflow/sequence/SequenceStatistics"
import { Effect } from "effect"
import { readResults } from "@leadloom/core/internal/workflow/sequence/ReadResults"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { setETag, versionsOf } from "../../middleware/ETag.ts"

/** The default number of sequences and enrolments per page. */
const defaultPageSize = 50

const groupToJson = ({ answered, contacts, won }: GroupNumbers) => ({ contacts, answered, won })

const countsToJson = ({ optedOut, ...counts }: SequenceCounts) => ({ ...counts, opted_out: optedOut })

interface SequenceCall {
  readonly params: { readonly tenant_id: string; readonly sequence_id: string }
}

const statistics = Effect.fnUntraced(function* ({ params }: SequenceCall) {
  const { counts, enrolled, heldOut, since } = yield* answer(
    readSequenceStatistics(params.tenant_id, params.sequence_id)
  )
  return {
    enrolled: groupToJson(enrolled),
    held_out: groupToJson(heldOut),
    last_7_days: countsToJson(counts),
    since: since === null ? null : isoTime(since)
  }
})

const pause = Effect.fnUntraced(function* ({ params }: SequenceCall) {
  const by = principalName(yield* Principal)
  return sequenceToJson(yield* answer(pauseSequence(params.tenant_id, params.sequence_id, by)))
})

const resume = Effect.fnUntraced(function* ({ params }: SequenceCall) {
  return sequenceToJson(yield* answer(resumeSequence(params.tenant_id, params.sequence_id)))
})

/** Endpoints for sequences. */
export const layer = HttpApiBuilder.group(Api, "sequences", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, limit = defaultPageSize } = query
      const page = yield* answer(listSequences(params.tenant_id, { cursor, limit }))
      return { sequences: page.items.map(sequenceToJson), next_cursor: page.nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const { name, steps } = payload
      const fields = {
        stopOn: [],
        holdoutPercent: 0,
        limits: defaultSequenceLimits,
        ...sequenceChangeOf(payload),
        name,
        steps
      }
      return sequenceToJson(yield* answer(createSequence(params.tenant_id, fields)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const sequence = yield* answer(readSequence(params.tenant_id, params.sequence_id))
      yield* setETag(sequence.version)
      return sequenceToJson(sequence)
    }),
    update: Effect.fnUntraced(function* ({ headers, params: { sequence_id, tenant_id }, payload }) {
      const { migrate = false, ...change } = payload
      const versions = yield* versionsOf(headers["if-match"])
      const changes = sequenceChangeOf(change)
      const sequence = yield* answer(updateSequence(tenant_id, sequence_id, changes, migrate, versions))
      yield* setETag(sequence.version)
      return sequenceToJson(sequence)
    }),
    delete: ({ params }) => answer(deleteSequence(params.tenant_id, params.sequence_id)),
    statistics,
    preview: Effect.fnUntraced(function* ({ params, payload }) {
      const steps = yield* answer(previewSequence(params.tenant_id, params.sequence_id, payload.contact_id))
      return { steps: steps.map(({ at, ...step }) => ({ ...step, at: at === null ? null : isoTime(at) })) }
    }),
    pause,
    resume,
    results: ({ params }) => answer(readResults(params.tenant_id, params.sequence_id)),
    enrol: Effect.fnUntraced(function* ({ params, payload }) {
      const enrolling = enrolContact({
        tenantId: params.tenant_id,
        sequenceId: params.sequence_id,
        contactId: payload.contact_id,
        leadId: payload.lead_id ?? null,
        enrolledBy: principalName(yield* Principal)
      })
      return enrolmentToJson((yield* answer(enrolling)).enrolment)
    })
  })
)

/** Endpoints for enrolments. */
export const enrolmentsLayer = HttpApiBuilder.group(Api, "enrolments", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, limit = defaultPageSize } = query
      const { contact_id: contactId = null, sequence_id: sequenceId = null, state = null } = query
      const { tenantId } = yield* answer((yield* Tenants).get(params.tenant_id))
      const page = yield* answer(listEnrolments(tenantId, { contactId, sequenceId, state }, { cursor, limit }))
      return { enrolments: page.items.map(enrolmentToJson), next_cursor: page.nextCursor }
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return enrolmentToJson(yield* answer(readEnrolment(params.tenant_id, params.enrolment_id)))
    }),
    pause: Effect.fnUntraced(function* ({ params }) {
      return enrolmentToJson(yield* answer(pauseEnrolment(params.tenant_id, params.enrolment_id)))
    }),
    resume: Effect.fnUntraced(function* ({ params }) {
      return enrolmentToJson(yield* answer(resumeEnrolment(params.tenant_id, params.enrolment_id)))
    }),
    skip: Effect.fnUntraced(function* ({ params }) {
      const by = principalName(yield* Principal)
      return enrolmentToJson(yield* answer(skipStep(params.tenant_id, params.enrolment_id, by)))
    }),
    stop: Effect.fnUntraced(function* ({ params }) {
      return enrolmentToJson(yield* answer(stopEnrolment(params.tenant_id, params.enrolment_id)))
    })
  })
)
