import * as sequence from "@leadloom/core/internal/domain/sequence/Sequence"
import * as simulation from "@leadloom/core/internal/domain/simulation/Simulation"

const limit = (what: string, value: number, unit: "characters" | "" = "") => ({ what, value, unit })

/** The limits of sequences and of their simulations, for `LimitList.ts`. */
export const sequenceLimits = [
  limit("sequences of a tenant", sequence.maxSequences),
  limit("steps of a sequence", sequence.maxSequenceSteps),
  limit("versions of a sequence", sequence.maxSequenceVersions),
  limit("length of the template of a step", sequence.maxSequenceTemplateLength, "characters"),
  limit("delay of a step, in its unit", sequence.maxStepDelay),
  limit("days of a simulation", simulation.maxSimulatedDays),
  limit("contacts in a simulation", simulation.maxSimulated),
  limit("decisions about steps in a simulation", simulation.maxDecisions)
]
