import { currentAuthContext } from '#server/auth/current-request.ts'

/** Base URL of the API, as shown in examples. */
export const apiUrl = async (): Promise<string> => `${(await currentAuthContext()).publicUrl}/v1`
