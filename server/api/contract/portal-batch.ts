/**
 * Questions that a page of the portal asks in one request, at most. Each may read what takes long, and everybody's share the same connections, so no request
 * may ask for more.
 */
export const mostQuestions = 10
