import { BadRequest, Conflict, NotFound, PreconditionFailed } from "@leadloom/api/internal/errors"
import type {
  ContactNotEnrollable,
  EnrolmentEnded,
  EnrolmentNotFound
} from "@leadloom/core/internal/domain/sequence/Enrolment"
import type {
  SequenceInvalid,
  SequenceLimitReached,
  SequenceNotFound,
  SequenceOutdated
} from "@leadloom/core/internal/domain/sequence/Sequence"
import type { SimulationInvalid } from "@leadloom/core/internal/domain/simulation/Simulation"

/** Maps errors about sequences and enrolments to wire errors. */
export const sequenceErrors = {
  SequenceNotFound: ({ sequenceId }: SequenceNotFound) => NotFound.of(`There is no sequence ${sequenceId}.`),
  SequenceInvalid: ({ issues }: SequenceInvalid) => BadRequest.of("The sequence is invalid.", issues),
  SimulationInvalid: ({ issues }: SimulationInvalid) => BadRequest.of("The simulation is not possible.", issues),
  SequenceOutdated: ({ currentVersion }: SequenceOutdated) =>
    PreconditionFailed.of(
      `The sequence now has version ${currentVersion}. Read the sequence again and repeat your change.`,
      { version: currentVersion }
    ),
  SequenceLimitReached: ({ limit, of }: SequenceLimitReached) =>
    Conflict.of(
      of === "sequences"
        ? `The tenant has the maximum of ${limit} sequences. Delete one first.`
        : `The sequence has the maximum of ${limit} versions. Create another sequence.`
    ),
  EnrolmentNotFound: ({ enrolmentId }: EnrolmentNotFound) => NotFound.of(`There is no enrolment ${enrolmentId}.`),
  EnrolmentEnded: ({ state }: EnrolmentEnded) =>
    Conflict.of(`The enrolment is ${state} and cannot change. Enrol the contact again.`),
  ContactNotEnrollable: ({ contactId }: ContactNotEnrollable) =>
    Conflict.of(`Contact ${contactId} is archived. Restore it before you enrol it.`)
} as const
