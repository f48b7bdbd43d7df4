import { Data } from "effect"

/** The app is not installed in this location, or no longer installed. */
export class CrmNotInstalled extends Data.TaggedError("CrmNotInstalled")<{ readonly locationId: string }> {
  override get message(): string {
    return `the app is not installed in the location ${this.locationId}`
  }
}
