import { maxDefects } from "@leadloom/core/internal/domain/run/DefectLimit"
import * as sequence from "@leadloom/core/internal/domain/sequence/Sequence"
import { maxResultEnrolments } from "@leadloom/core/internal/domain/sequence/StepResults"
import { maxSequenceTemplateLength, maxStepTexts } from "@leadloom/core/internal/domain/sequence/StepText"
import * as link from "@leadloom/core/internal/domain/link/TrackedLink"
import * as simulation from "@leadloom/core/internal/domain/simulation/Simulation"

/** The limits of sequences and of their simulations: the meaning, the value, and the unit. */
export const sequenceLimits: ReadonlyArray<readonly [what: string, value: number, unit: "" | "characters"]> = [
  ["sequences of a tenant", sequence.maxSequences, ""],
  ["steps of a sequence", sequence.maxSequenceSteps, ""],
  ["versions of a sequence", sequence.maxSequenceVersions, ""],
  ["length of the template of a step", maxSequenceTemplateLength, "characters"],
  ["delay of a step, in its unit", sequence.maxStepDelay, ""],
  ["texts of a step, for a test of several texts", maxStepTexts, ""],
  ["enrolments in the results of a sequence", maxResultEnrolments, ""],
  ["percentage of contacts in a holdout group", sequence.maxHoldoutPercent, ""],
  ["consecutive defects of a step, or of the run of a rule, that end its attempts", maxDefects, ""],
  ["tracked links of an email", link.maxTrackedLinks, ""],
  ["length of the URL of a tracked link", link.maxTrackedUrlLength, "characters"],
  ["counted openings of a tracked link", link.maxLinkOpens, ""],
  ["days of a simulation", simulation.maxSimulatedDays, ""],
  ["contacts in a simulation", simulation.maxSimulated, ""],
  ["causes in a simulation of a rule", simulation.maxSimulated, ""],
  ["records that a simulation of a rule examines", simulation.maxExamined, ""],
  ["decisions in a simulation", simulation.maxDecisions, ""]
]
