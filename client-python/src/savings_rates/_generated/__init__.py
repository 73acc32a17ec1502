# Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.
