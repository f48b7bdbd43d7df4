/**
 * Takes the open leads of a deactivated user from the user, or those of a deleted team from the team. The job handles
 * some leads and continues until none is left.
 */
export type UserJob =
  | { readonly kind: "release_user"; readonly userId: string }
  | { readonly kind: "release_team"; readonly teamId: string }

/** Returns the id of the job for a user or team. */
export const releaseId = (job: UserJob): string =>
  job.kind === "release_user" ? `release:${job.userId}` : `release:${job.teamId}`

/** The number of leads that one unit of work releases. */
export const releasedAtOnce = 100
