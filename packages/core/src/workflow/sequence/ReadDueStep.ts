import { Effect } from "effect"
import { type Enrolment, nextStep } from "../../domain/sequence/Enrolment.ts"
import type { StepHours } from "../../domain/sequence/PlanStep.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { followedVersion, stepHours } from "./PlanEnrolment.ts"
import type { DueStep } from "./StopCheck.ts"

/** A step that is due, with its tenant and its hours. */
export interface Due extends DueStep {
  readonly tenant: Tenant
  readonly hours: StepHours
}

/** Reads everything about the next step of an enrolment. Null if its tenant is archived or its contact is gone. */
export const readDue = Effect.fnUntraced(function* (enrolment: Enrolment) {
  const { contactId, sequenceId, tenantId } = enrolment
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  const contact = yield* resolveMergedContact(tenantId, contactId)
  const sequence = yield* (yield* Sequences)
    .get(tenantId, sequenceId)
    .pipe(Effect.catchTag("SequenceNotFound", () => Effect.succeed(null)))
  if (tenant === null || contact === null || sequence === null) return null
  const followed = yield* followedVersion(sequence, enrolment)
  const step = nextStep(followed.steps, enrolment.history)
  const hours = yield* stepHours(tenant, contact)
  const due: Due = { tenant, contact, sequence, enrolment, followed, step, hours }
  return due
})
