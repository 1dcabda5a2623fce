// What a machine may still have to pay in one state more than in another.
#pragma once

#include "core/rules/part.hpp"

namespace lawful {

// Fills part.arrears; leaves it empty where the machine is too large for that to be worth it.
void find_arrears(Part& part);

}  // namespace lawful
