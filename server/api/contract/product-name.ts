/** Name of the product. Customers must print it in the attribution of the Data Licence, so it is the only name used anywhere. */
export const productName = 'Savings Rates Data API'
