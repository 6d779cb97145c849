-- Sends the requests of a file in turn: on each line a method, a path and a body, divided by tabs.
local requests, turn = {}, 0

function init(arguments)
  local key = arguments[2]
  for line in io.lines(arguments[1]) do
    local method, path, body = line:match("^(%S+)\t(%S+)\t?(.*)$")
    local fields = {["Accept"] = "application/vnd.contrail"}
    if key then fields["x-api-key"] = key end
    if body ~= "" then fields["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, fields, body ~= "" and body or nil)
  end
  -- Threads begin at different requests.
  math.randomseed(tonumber(tostring(wrk.thread):match("0x%x+")) or 1)
  turn = math.random(#requests)
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end
