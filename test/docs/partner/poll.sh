curl -s "$API_URL/notifications/poll" -H "Authorization: Bearer $ENDPOINT_TOKEN" \
  -H 'Content-Type: application/json' -d "{\"ack\": [$STORED], \"maxEvents\": 10, \"returnImmediately\": true}"
