import { BadRequest } from "@leadloom/api/internal/errors"

/** Returns the error for one invalid field of a request. */
export const field = (path: string, message: string) =>
  BadRequest.of("The request contains an invalid field.", [{ path, message }])
