// Whether this is `npm run test:deep`: every site and command is a process of its own then, and nothing is left out for its time.

export const isDeep = process.env['TEST_CASES'] === 'new'
