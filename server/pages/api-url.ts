import { currentRoom } from '#server/auth/current-request.ts'

/** Where calls of the API go, as examples show it. */
export const apiUrl = async (): Promise<string> => `${(await currentRoom()).publicUrl}/v1`
