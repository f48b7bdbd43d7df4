import type { WorkHolder } from "./Assignment.ts"

/**
 * Takes the unfinished leads, conversations and tasks of a deactivated user from the user, or those of a deleted team
 * from the team. The job handles some of them and continues until none is left.
 */
export type UserJob =
  | { readonly kind: "release_user"; readonly userId: string }
  | { readonly kind: "release_team"; readonly teamId: string }

/** Returns the id of the job for a user or team. */
export const releaseId = (job: UserJob): string =>
  job.kind === "release_user" ? `release:${job.userId}` : `release:${job.teamId}`

/** Returns the user or the team whose work a job releases. */
export const holderOf = (job: UserJob): WorkHolder =>
  job.kind === "release_user" ? { assigneeId: job.userId } : { teamId: job.teamId }

/** The number of leads, conversations and tasks that one unit of work releases together. */
export const releasedAtOnce = 100
